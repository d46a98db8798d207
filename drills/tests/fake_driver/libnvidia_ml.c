/* An NVML with no GPU behind it. FAKE_NVML says how it behaves. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int mode(const char *name) {
    const char *asked = getenv("FAKE_NVML");
    return asked && !strcmp(asked, name);
}

int nvmlInit_v2(void) {
    if (mode("not-loaded")) return 9;
    if (mode("lost")) return 15;
    if (mode("mismatch")) return 18;
    if (mode("unknown-code")) return 9001;
    if (mode("crash")) *(volatile int *)8 = 1;
    return 0;
}
int nvmlShutdown(void) { return 0; }
int nvmlDeviceGetCount_v2(unsigned *count) { *count = mode("none") ? 0 : 1; return 0; }
int nvmlSystemGetDriverVersion(char *text, unsigned len) { strncpy(text, "1.2.3", len); return 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device) { *device = (void *)(size_t)(index + 1); return 0; }
int nvmlDeviceGetName(void *device, char *name, unsigned len) { (void)device; strncpy(name, "NVIDIA GB10", len); return 0; }
struct pci { char legacy[16]; unsigned domain, bus, device, id, subsystem; char bus_id[32]; };
int nvmlDeviceGetPciInfo_v3(void *device, struct pci *pci) {
    (void)device;
    memset(pci, 0, sizeof *pci);
    pci->domain = 0xf;
    pci->bus = 1;
    strcpy(pci->bus_id, "0000000F:01:00.0");
    return 0;
}
/* As on machines whose GPU shares the host's memory. */
int nvmlDeviceGetMemoryInfo_v2(void *device, void *memory) { (void)device; (void)memory; return 3; }
