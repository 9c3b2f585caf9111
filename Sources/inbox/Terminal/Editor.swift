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
        var process: pid_t = 0
        // An editor that hangs could not be interrupted otherwise.
        let error = withSpawnAttributes(defaults: [SIGINT, SIGQUIT]) { attributes in
            posix_spawn(&process, "/bin/sh", nil, &attributes, &pointers, environ)
        }
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
}
