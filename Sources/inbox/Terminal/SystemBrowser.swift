import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The person's browser: `$BROWSER`, or the one that the desktop opens.
struct SystemBrowser {
    private let program: String?

    init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        let chosen = environment["BROWSER"].flatMap { $0.isEmpty ? nil : $0 }
        #if os(macOS)
            program = chosen ?? "open"
        #else
            let hasDesktop = ["DISPLAY", "WAYLAND_DISPLAY"].contains { !(environment[$0] ?? "").isEmpty }
            program = chosen ?? (hasDesktop ? "xdg-open" : nil)
        #endif
    }

    /// Opens a page. Returns at once; what the browser prints isn't shown.
    ///
    /// - Returns: Whether there is a browser.
    @discardableResult
    func open(_ page: URL) -> Bool {
        guard let program else { return false }
        var actions: SpawnActions
        #if canImport(Darwin)
            actions = nil
        #else
            actions = SpawnActions()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
        }
        let arguments: [String] = [program, page.absoluteString]
        var pointers = arguments.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var process: pid_t = 0
        let error = withSpawnAttributes { attributes in
            posix_spawnp(&process, program, &actions, &attributes, &pointers, environ)
        }
        guard error == 0 else { return false }
        let child = process
        Thread.detachNewThread {
            var status: Int32 = 0
            while waitpid(child, &status, 0) < 0, errno == EINTR {}
        }
        return true
    }

    #if canImport(Darwin)
        private typealias SpawnActions = posix_spawn_file_actions_t?
    #else
        private typealias SpawnActions = posix_spawn_file_actions_t
    #endif
}
