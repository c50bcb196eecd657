// Memory for the core in a browser: sizes are powers of two, a list of free blocks for each, nothing is given back.
#ifdef __wasm__
typedef __SIZE_TYPE__ size_t;

extern unsigned char __heap_base;
static size_t top, limit;
static void *spare[32];
static unsigned live;

// How many blocks are in use, so that a test can see a leak.
__attribute__((export_name("core_live_blocks"))) unsigned core_live_blocks(void) { return live; }

void *malloc(size_t size) {
    unsigned power = 5;
    if (size > (1u << 29)) return 0;
    while (((size_t)1 << power) < size + 16) power++;
    live++;
    unsigned char *block = spare[power];
    if (block) {
        spare[power] = *(void **)block;
        *(unsigned *)block = power;
        return block + 16;
    }
    if (!top) {
        top = ((size_t)&__heap_base + 15) & ~(size_t)15;
        limit = __builtin_wasm_memory_size(0) << 16;
    }
    size_t need = (size_t)1 << power;
    if (need > limit - top) {
        if (__builtin_wasm_memory_grow(0, (need - (limit - top) + 65535) >> 16) == (size_t)-1) __builtin_trap();
        limit = __builtin_wasm_memory_size(0) << 16;
    }
    block = (unsigned char *)top;
    top += need;
    *(unsigned *)block = power;
    return block + 16;
}

void free(void *pointer) {
    if (!pointer) return;
    unsigned char *block = (unsigned char *)pointer - 16;
    unsigned power = *(unsigned *)block;
    *(void **)block = spare[power];
    spare[power] = block;
    live--;
}

int posix_memalign(void **out, size_t alignment, size_t size) {
    if (alignment > 16) __builtin_trap();
    *out = malloc(size);
    return *out ? 0 : 12;
}
#endif
