import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The person's editor for texts: `$VISUAL`, `$EDITOR`, or otherwise `vi`.
struct Editor {
    private let command: String

    init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        let chosen = [environment["VISUAL"], environment["EDITOR"]].compactMap { $0 }
        command = chosen.first { !$0.allSatisfy(\.isWhitespace) } ?? "vi"
    }

    /// Lets the person edit a file, and waits until the editor ends.
    ///
    /// - Throws: ``Failure`` if the editor can't be started, or ends with another status than 0, as vi does after
    ///   `:cq`.
    func edit(_ file: URL) throws {
        // A shell runs it, as git does: the variable may have options.
        let quoted = "'" + file.path.replacing("'", with: "'\\''") + "'"
        let arguments = ["sh", "-c", "\(command) \(quoted)"]
        var pointers = arguments.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        // Ctrl-C is the editor's from the start, which would otherwise go on alone.
        let interrupted = signal(SIGINT, SIG_IGN)
        let quit = signal(SIGQUIT, SIG_IGN)
        defer {
            signal(SIGINT, interrupted)
            signal(SIGQUIT, quit)
        }
        // A process that is started inherits signals that are ignored, and one that hangs could not be interrupted.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGQUIT)
        // It inherits blocked ones, too, and the threads of Dispatch block nearly all.
        var blocked = sigset_t()
        sigemptyset(&blocked)
        var attributes: SpawnAttributes
        #if canImport(Darwin)
            attributes = nil
        #else
            attributes = SpawnAttributes()
        #endif
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setsigmask(&attributes, &blocked)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        var process: pid_t = 0
        let error = posix_spawn(&process, "/bin/sh", nil, &attributes, &pointers, environ)
        guard error == 0 else { throw Failure("The editor can't be started: \(String(cString: strerror(error))).") }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { throw Failure("The editor can't be waited for.") }
        }
        let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
        switch code {
        case 0: return
        case 127: throw Failure("There is no editor \(command). Set EDITOR, or give the text with --body.")
        default: throw Failure("The editor ended with status \(code).")
        }
    }

    #if canImport(Darwin)
        private typealias SpawnAttributes = posix_spawnattr_t?
    #else
        private typealias SpawnAttributes = posix_spawnattr_t
    #endif
}
