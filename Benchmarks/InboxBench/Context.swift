import Foundation

/// What benchmarks share: how much to measure, a folder, and the servers, started when the first one needs them.
actor Context {
    nonisolated let effort: Effort
    nonisolated let workspace: Workspace
    private var started: Servers?

    init(_ effort: Effort) throws {
        self.effort = effort
        workspace = try Workspace()
    }

    func servers() async throws -> Servers {
        if let started { return started }
        let servers = try await Servers(workspace, effort)
        started = servers
        return servers
    }

    /// Stops the servers and removes the folder.
    func close() {
        started?.stop()
        workspace.remove()
    }
}
