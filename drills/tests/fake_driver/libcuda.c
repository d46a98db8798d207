/* A libcuda with no GPU behind it. FAKE_CUDA says how it behaves: an error at the first call, a hang, a
 * crash, or a "GPU" whose memory is the host's and which can copy but not compile kernels. As a "gang" there
 * are two, and the host's CPU runs the two kernels that check a sum. Compiled with
 * TRUNCATED it has cuInit and nothing else, as a driver far too old would. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef unsigned long long ptr_t;

static int mode(const char *name) {
    const char *asked = getenv("FAKE_CUDA");
    return asked && !strcmp(asked, name);
}

int cuInit(unsigned flags) {
    (void)flags;
    if (mode("no-device")) return 100;
    if (mode("unknown-code")) return 9001;
    if (mode("stub")) return 34;
    if (mode("hang")) for (;;) sleep(1000);
    if (mode("crash")) *(volatile int *)8 = 1;
    if (mode("chatter")) {
        puts("a driver that talks on stdout\n{\"Done\"");
        fflush(stdout);
        return 100;
    }
    return 0;
}

#ifndef TRUNCATED

int cuDeviceGetCount(int *count) { *count = mode("gang") ? 2 : 1; return 0; }
int cuDeviceGet(int *device, int ordinal) { *device = ordinal; return 0; }
int cuDeviceGetName(char *name, int len, int device) { (void)device; snprintf(name, len, "Fake GPU"); return 0; }
int cuDeviceGetPCIBusId(char *id, int len, int device) { snprintf(id, len, "0000:FA:C%X.0", 14 + device); return 0; }
int cuDevicePrimaryCtxRetain(void **ctx, int device) {
    (void)device;
    if (mode("context-fails")) return 46;
    *ctx = (void *)0x1000;
    return 0;
}
int cuDevicePrimaryCtxRelease_v2(int device) { (void)device; return 0; }
int cuDeviceGetAttribute(int *value, int attribute, int device) {
    (void)device;
    *value = attribute == 128 && (mode("fabric") || mode("no-channel") || mode("no-daemon"));
    if (mode("hmm")) {
        if (attribute == 86) return 1; /* a driver that does not know this one */
        *value = attribute == 83 || attribute == 88 || attribute == 89;
    }
    return 0;
}
int cuMemGetAllocationGranularity(size_t *granularity, const void *properties, int option) {
    (void)properties; (void)option;
    *granularity = 2 << 20;
    return 0;
}
/* Fabric handles: 64 bytes that must come back as they were given out. */
int cuMemCreate(ptr_t *handle, size_t size, const int *properties, ptr_t flags) {
    if (mode("no-channel")) return 800;
    if (properties[0] != 1 || properties[1] != 8 || size != 2 << 20 || flags) return 1;
    *handle = 7;
    return 0;
}
int cuMemExportToShareableHandle(void *out, ptr_t handle, int type, ptr_t flags) {
    if (handle != 7 || type != 8 || flags) return 1;
    memset(out, 0x5a, 64);
    return 0;
}
int cuMemImportFromShareableHandle(ptr_t *handle, const unsigned char *in, int type) {
    if (mode("no-daemon")) return 400;
    for (int i = 0; i < 64; i++) if (in[i] != 0x5a || type != 8) return 1;
    *handle = 8;
    return 0;
}
int cuMemRelease(ptr_t handle) { return handle == 7 || handle == 8 ? 0 : 1; }
int cuCtxSetCurrent(void *ctx) { (void)ctx; return 0; }
int cuCtxGetCurrent(void **ctx) { *ctx = (void *)0x1000; return 0; }
int cuModuleLoadData(void **module, const void *image) { (void)image; *module = (void *)9; return mode("gang") ? 0 : 221; }
int cuModuleUnload(void *module) { (void)module; return 0; }
int cuModuleGetFunction(void **function, void *module, const char *name) {
    (void)module;
    *function = strdup(name);
    return 0;
}
int cuFuncGetAttribute(int *value, int attribute, void *function) { (void)attribute; (void)function; *value = 0; return 0; }
static unsigned term(ptr_t i) { return (unsigned)i * 0x9E3779B1u >> 24; }
int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, void *stream, void **params, void **extra) {
    (void)gx; (void)gy; (void)gz; (void)bx; (void)by; (void)bz; (void)shared; (void)stream; (void)extra;
    if (!strcmp(function, "fill_terms") || !strcmp(function, "wrong_sums")) {
        float *at = *(float **)params[0];
        ptr_t floats = *(ptr_t *)params[1];
        unsigned number = *(unsigned *)params[2];
        if (!strcmp(function, "fill_terms")) {
            for (ptr_t i = 0; i < floats; i++) at[i] = term(i) + number;
        } else {
            unsigned base = *(unsigned *)params[3];
            ptr_t *wrong = *(ptr_t **)params[4];
            for (ptr_t i = 0; i < floats; i++) *wrong += at[i] != number * term(i) + base;
        }
        return 0;
    }
    return 1;
}
int cuGetErrorString(int code, const char **text) { (void)code; *text = "fake"; return 0; }
int cuGetErrorName(int code, const char **text) { (void)code; *text = "FAKE"; return 0; }

int cuMemGetInfo_v2(size_t *available, size_t *total) { *available = *total = (size_t)160 << 20; return 0; }
int cuMemAlloc_v2(ptr_t *address, size_t size) { *address = (ptr_t)malloc(size); return *address ? 0 : 2; }
int cuMemFree_v2(ptr_t address) { free((void *)address); return 0; }
int cuMemHostAlloc(void **p, size_t size, unsigned flags) {
    if (flags & 4) return 1; /* write-combined is never wanted */
    if (mode("small-pins") && size > (1 << 20)) return 2;
    *p = aligned_alloc(4096, (size + 4095) / 4096 * 4096);
    return *p ? 0 : 2;
}
int cuMemFreeHost(void *p) { free(p); return 0; }
int cuMemHostRegister_v2(void *p, size_t size, unsigned flags) {
    (void)p; (void)size; (void)flags;
    if (mode("crash-later")) *(volatile int *)8 = 1;
    if (mode("hang-later")) for (;;) sleep(1000);
    return 0;
}
int cuMemHostUnregister(void *p) { (void)p; return 0; }
int cuMemHostGetDevicePointer_v2(ptr_t *address, void *p, unsigned flags) { (void)flags; *address = (ptr_t)p; return 0; }
int cuMemsetD8_v2(ptr_t address, unsigned char value, size_t size) { memset((void *)address, value, size); return 0; }

static int copy(void *to, const void *from, size_t size) {
    memcpy(to, from, size);
    if (mode("corrupt")) ((char *)to)[size / 2] += 1; /* adds up on the way back */
    if (mode("lost") && size >= (1 << 20)) return 719;
    return 0;
}
int cuMemcpyHtoDAsync_v2(ptr_t to, const void *from, size_t size, void *stream) { (void)stream; return copy((void *)to, from, size); }
int cuMemcpyDtoHAsync_v2(void *to, ptr_t from, size_t size, void *stream) { (void)stream; return copy(to, (void *)from, size); }
int cuMemcpyDtoDAsync_v2(ptr_t to, ptr_t from, size_t size, void *stream) { (void)stream; return copy((void *)to, (void *)from, size); }
int cuMemcpyDtoH_v2(void *to, ptr_t from, size_t size) { return copy(to, (void *)from, size); }

int cuStreamCreate(void **stream, unsigned flags) { (void)flags; *stream = malloc(1); return 0; }
int cuStreamDestroy_v2(void *stream) { free(stream); return 0; }
int cuStreamSynchronize(void *stream) { (void)stream; return 0; }
int cuStreamWaitEvent(void *stream, void *event, unsigned flags) { (void)stream; (void)event; (void)flags; return 0; }

int cuEventCreate(void **event, unsigned flags) { (void)flags; *event = calloc(1, sizeof(struct timespec)); return 0; }
int cuEventDestroy_v2(void *event) { free(event); return 0; }
int cuEventRecord(void *event, void *stream) { (void)stream; return clock_gettime(CLOCK_MONOTONIC, event); }
int cuEventSynchronize(void *event) { (void)event; return 0; }
int cuEventElapsedTime(float *ms, void *start, void *end) {
    const struct timespec *a = start, *b = end;
    *ms = (b->tv_sec - a->tv_sec) * 1e3 + (b->tv_nsec - a->tv_nsec) / 1e6;
    return 0;
}

#endif
