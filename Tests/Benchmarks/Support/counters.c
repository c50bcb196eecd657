// Counts what a service asks of its allocator, for `LD_PRELOAD`.
//
// The count stands in the file named by STRIDE_COUNTERS as a 64-bit integer, and can be read at any time. It does not depend on
// busy neighbours, which makes it the steadiest figure of a benchmark. Calls of Swift's runtime cannot be counted like this: they
// are within the executable.

#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static _Atomic uint64_t unshared;
static _Atomic uint64_t *allocations = &unshared;

static void count(void) { atomic_fetch_add_explicit(allocations, 1, memory_order_relaxed); }

__attribute__((constructor)) static void share(void) {
    const char *path = getenv("STRIDE_COUNTERS");
    int file = path ? open(path, O_RDWR | O_CREAT | O_TRUNC, 0600) : -1;
    if (file < 0) return;
    if (ftruncate(file, sizeof unshared) == 0) {
        void *place = mmap(NULL, sizeof unshared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (place != MAP_FAILED) allocations = place;
    }
    close(file);
}

// glibc's own names for what is replaced here.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t number, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
    count();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count();
    return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
    count();
    return __libc_realloc(memory, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    count();
    *memory = __libc_memalign(alignment, size);
    return *memory ? 0 : 12;
}
