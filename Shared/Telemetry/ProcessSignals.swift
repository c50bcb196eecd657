internal import Glibc

/// What a process sets once, before anything else runs.
package enum ProcessSignals {
    /// Makes a write to a closed pipe or connection fail with EPIPE instead of ending the process.
    ///
    /// `main` calls it first: the default action of SIGPIPE kills, and neither the log's pipe nor any peer's socket may do that.
    /// Idempotent; the setting holds for the whole process and is inherited by its children.
    package static func ignoreBrokenPipe() {
        var action = sigaction()
        unsafe action.__sigaction_handler.sa_handler = SIG_IGN
        unsafe sigemptyset(&action.sa_mask)
        _ = unsafe sigaction(SIGPIPE, &action, nil)
    }

    /// Opens `/dev/null` in place of a standard stream that was closed before the process started.
    ///
    /// Otherwise the next socket gets number 0, 1 or 2, and whatever a library prints goes into it.
    package static func openMissingStandardStreams() {
        for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest free number is given, which is this one.
            _ = unsafe open("/dev/null", O_RDWR)
        }
    }
}
