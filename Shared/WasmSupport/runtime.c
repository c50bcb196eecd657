// What compiled Swift expects of a C library, and no more.
#ifdef __wasm__
typedef __SIZE_TYPE__ size_t;
typedef unsigned long long u64;

void abort(void) { __builtin_trap(); }

// With -mbulk-memory these become instructions.
void *memcpy(void *to, const void *from, size_t count) { return __builtin_memcpy(to, from, count); }
void *memmove(void *to, const void *from, size_t count) { return __builtin_memmove(to, from, count); }
void *memset(void *to, int byte, size_t count) { return __builtin_memset(to, byte, count); }

int memcmp(const void *left, const void *right, size_t count) {
    const unsigned char *a = left, *b = right;
    for (; count; count--, a++, b++)
        if (*a != *b) return *a - *b;
    return 0;
}

size_t strlen(const char *text) {
    size_t count = 0;
    while (text[count]) count++;
    return count;
}

__int128 __multi3(__int128 a, __int128 b) {
    u64 al = (u64)a, bl = (u64)b, m = 0xffffffff;
    u64 p00 = (al & m) * (bl & m), p01 = (al & m) * (bl >> 32), p10 = (al >> 32) * (bl & m);
    u64 p11 = (al >> 32) * (bl >> 32);
    u64 mid = (p00 >> 32) + (p01 & m) + (p10 & m), high = p11 + (p01 >> 32) + (p10 >> 32) + (mid >> 32);
    high += (u64)(a >> 64) * bl + al * (u64)(b >> 64);
    return (__int128)(((unsigned __int128)high << 64) | (mid << 32) | (p00 & m));
}

static u64 state = 0x9e3779b97f4a7c15ull;

// Seeds hash tables; called once, first, with random bits.
__attribute__((export_name("core_seed"))) void core_seed(u64 seed) {
    state ^= seed;
    if (!state) state = 1;
}

void arc4random_buf(void *out, size_t count) {
    for (unsigned char *byte = out; count--;) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        *byte++ = (unsigned char)(state >> 32);
    }
}

double round(double x) {
    double whole = __builtin_trunc(x);
    return __builtin_fabs(x - whole) >= 0.5 ? whole + __builtin_copysign(1, x) : whole;
}
#endif
