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
/* FAKE_NVML=tray: five C2C links of which one is down, and a GPU in a multi-node fabric. */
struct field { unsigned field, scope; long long time, latency; unsigned kind; int code; unsigned value, high; };
int nvmlDeviceGetFieldValues(void *device, int count, struct field *fields) {
    (void)device;
    if (!mode("tray")) return 3;
    for (int i = 0; i < count; i++) {
        struct field *f = fields + i;
        f->code = 0;
        if (f->field == 170) f->value = 5;
        else if (f->field == 171) f->value = f->scope != 2;
        else if (f->field == 172) f->value = 44712;
        else f->code = 3;
    }
    return 0;
}
struct fabric { unsigned version; unsigned char cluster[16]; int status; unsigned clique; unsigned char state; unsigned health; };
int nvmlDeviceGetGpuFabricInfoV(void *device, struct fabric *info) {
    (void)device;
    if (!mode("tray")) return 3;
    if (info->version != (36 | 2u << 24)) return 25; /* a driver that knows version 2 only */
    memset(info->cluster, 0xc1, 16);
    info->status = 0;
    info->clique = 32766;
    info->state = 3;
    info->health = 0x2a8 | 2; /* nothing is wrong */
    return 0;
}
int nvmlDeviceGetMigMode(void *device, unsigned *now, unsigned *pending) {
    (void)device;
    *now = *pending = 0;
    return mode("tray") ? 0 : 3;
}
int nvmlDeviceGetVirtualizationMode(void *device, unsigned *m) { (void)device; *m = 1; return mode("tray") ? 0 : 3; }
int nvmlDeviceGetPersistenceMode(void *device, unsigned *m) { (void)device; *m = 1; return mode("tray") ? 0 : 3; }
/* As on machines whose GPU shares the host's memory. */
int nvmlDeviceGetMemoryInfo_v2(void *device, void *memory) { (void)device; (void)memory; return 3; }
