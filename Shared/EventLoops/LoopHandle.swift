internal import CUV

/// What every libuv handle shares: its memory lives until libuv has called back that it is closed.
///
/// The handle keeps its Swift object alive until then, so an owner ends it with `close()` and may drop it at once.
/// Confined to its loop.
@safe package class LoopHandle {
    /// The loop on which the handle lives.
    package let loop: EventLoop
    let base: UnsafeMutablePointer<uv_handle_t>
    private(set) var isClosing = false

    /// Takes over memory in which a handle has been initialised.
    init(loop: EventLoop, adopting memory: UnsafeMutableRawPointer) {
        loop.preconditionInLoop()
        self.loop = loop
        unsafe base = memory.assumingMemoryBound(to: uv_handle_t.self)
        unsafe base.pointee.data = Unmanaged.passRetained(self).toOpaque()
    }

    /// Ends the handle; repeated calls do nothing.
    package func close() {
        guard beginClosing() else { return }
        unsafe uv_close(base, LoopHandle.finish)
    }

    /// Whether the caller is the one that closes; it must then hand `LoopHandle.finish` to libuv's closing function.
    func beginClosing() -> Bool {
        loop.preconditionInLoop()
        guard !isClosing else { return false }
        isClosing = true
        return true
    }

    /// Called once after libuv has let go of the handle, just before its memory is freed.
    func didClose() {}

    static let finish: @convention(c) (UnsafeMutablePointer<uv_handle_t>?) -> Void = { handle in
        guard let handle = unsafe handle, let data = unsafe handle.pointee.data else { return }
        let object = unsafe Unmanaged<LoopHandle>.fromOpaque(data).takeRetainedValue()
        object.didClose()
        unsafe handle.deallocate()
    }

    /// The object of a handle that libuv passes to a callback; the caller names the class that owns this kind of handle.
    static func object<Handle: LoopHandle>(of data: UnsafeMutableRawPointer?, as type: Handle.Type) -> Handle? {
        guard let data = unsafe data else { return nil }
        return unsafe Unmanaged<Handle>.fromOpaque(data).takeUnretainedValue()
    }
}
