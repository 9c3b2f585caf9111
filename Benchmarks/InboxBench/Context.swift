import Foundation

/// Shared by the benchmarks: the effort, a folder, and the servers, which start when they are first needed.
actor Context {
    nonisolated let effort: Effort
    nonisolated let workspace: Workspace
    private var started: Servers?
    private var mailbox: MailSetting?

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

    func mail() async throws -> MailSetting {
        if let mailbox { return mailbox }
        let setting = try await MailSetting(workspace, mails: effort.mails)
        mailbox = setting
        return setting
    }

    /// Stops the servers and removes the folder.
    func close() async {
        started?.stop()
        await mailbox?.close()
        workspace.remove()
    }
}
