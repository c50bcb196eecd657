// The product is a WebAssembly module without a main program; what it exports stands in Exports.swift.

#if canImport(Glibc)
    // Links the library of square roots, which are instructions in WebAssembly and calls in a host's debug build.
    import Glibc
#endif
