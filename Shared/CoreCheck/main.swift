// The product is a WebAssembly module without a main program; what it exports stands in Checks.swift.
