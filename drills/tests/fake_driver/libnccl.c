/* A libnccl that computes sums without anybody to talk to: it knows what each rank adds, a number from its
 * index plus the rank. FAKE_NCCL makes it old, wrong, or unable to make communicators. */
#include <stdlib.h>
#include <string.h>

typedef struct { char internal[128]; } Id;
typedef struct { int rank, ranks; } Comm;

static int mode(const char *name) {
    const char *asked = getenv("FAKE_NCCL");
    return asked && !strcmp(asked, name);
}

int ncclGetVersion(int *version) { *version = mode("old") ? 2804 : 22707; return 0; }
const char *ncclGetErrorString(int code) { (void)code; return "unhandled system error"; }
const char *ncclGetLastError(void *comm) { (void)comm; return "no space left in /dev/shm"; }
int ncclGetUniqueId(Id *id) { for (int i = 0; i < 128; i++) id->internal[i] = i * 3; return 0; }

static int join(Comm **comm, int rank, int ranks) {
    if (mode("fails")) return 2;
    /* As long as nobody allowed it, multicast is off. */
    const char *nvls = getenv("NCCL_NVLS_ENABLE");
    if (!nvls || strcmp(nvls, "0")) return 5;
    *comm = malloc(sizeof(Comm));
    (*comm)->rank = rank;
    (*comm)->ranks = ranks;
    return 0;
}
int ncclCommInitRank(Comm **comm, int ranks, Id id, int rank) {
    for (int i = 0; i < 128; i++) if (id.internal[i] != (char)(i * 3)) return 4;
    return join(comm, rank, ranks);
}
int ncclCommInitAll(Comm **comms, int n, const int *devices) {
    for (int i = 0; i < n; i++) {
        int code = devices[i] == i ? join(&comms[i], i, n) : 4;
        if (code) return code;
    }
    return 0;
}
int ncclGroupStart(void) { return 0; }
int ncclGroupEnd(void) { return 0; }
int ncclAllReduce(const float *from, float *to, size_t count, int type, int op, Comm *comm, void *stream) {
    (void)stream;
    if (type != 7 || op != 0 || from == to) return 4;
    int n = comm->ranks, base = n * (n - 1) / 2;
    for (size_t i = 0; i < count; i++) to[i] = n * (from[i] - comm->rank) + base;
    if (mode("wrong") && comm->rank == n - 1) to[count - 1] += 1;
    return 0;
}
