//! The only place that touches the NVIDIA driver.
