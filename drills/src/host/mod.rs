//! Readers of `/sys` and `/proc` under a root. None of them fails: what is missing stays absent.
