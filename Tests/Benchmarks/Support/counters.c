// Counts what a Swift service asks of its allocator and its runtime, for `LD_PRELOAD`.
//
// The counts stand in the file named by STRIDE_COUNTERS as 64-bit integers, in the order of `enum counter`, and can be
// read at any time. Counts do not depend on busy neighbours, which makes them the steadiest figure of a benchmark.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum counter { ALLOCATIONS, RETAINS, RELEASES, UNIQUENESS_CHECKS, ACCESS_CHECKS, COUNTERS };

static _Atomic uint64_t unshared[COUNTERS];
static _Atomic uint64_t *counters = unshared;

static void count(enum counter counter) { atomic_fetch_add_explicit(&counters[counter], 1, memory_order_relaxed); }

__attribute__((constructor)) static void share(void) {
    const char *path = getenv("STRIDE_COUNTERS");
    int file = path ? open(path, O_RDWR | O_CREAT | O_TRUNC, 0600) : -1;
    if (file < 0) return;
    if (ftruncate(file, sizeof unshared) == 0) {
        void *place = mmap(NULL, sizeof unshared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (place != MAP_FAILED) counters = place;
    }
    close(file);
}

// glibc's own names for what is replaced here.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t number, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
    count(ALLOCATIONS);
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count(ALLOCATIONS);
    return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
    count(ALLOCATIONS);
    return __libc_realloc(memory, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    count(ALLOCATIONS);
    *memory = __libc_memalign(alignment, size);
    return *memory ? 0 : 12;
}

// Counts a call of the Swift runtime and makes it.
#define COUNTED(COUNTER, RESULT, NAME, PARAMETERS, ARGUMENTS)                  \
    RESULT NAME PARAMETERS {                                                   \
        static RESULT(*next) PARAMETERS;                                       \
        if (!next) next = (RESULT(*) PARAMETERS)dlsym(RTLD_NEXT, #NAME);       \
        count(COUNTER);                                                        \
        return next ARGUMENTS;                                                 \
    }

COUNTED(RETAINS, void *, swift_retain, (void *object), (object))
COUNTED(RETAINS, void *, swift_bridgeObjectRetain, (void *object), (object))
COUNTED(RELEASES, void, swift_release, (void *object), (object))
COUNTED(RELEASES, void, swift_bridgeObjectRelease, (void *object), (object))
COUNTED(UNIQUENESS_CHECKS, _Bool, swift_isUniquelyReferenced_nonNull_native, (const void *object), (object))
COUNTED(ACCESS_CHECKS, void, swift_beginAccess, (void *place, void *buffer, uintptr_t flags, void *counter),
    (place, buffer, flags, counter))
