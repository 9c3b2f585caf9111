import Foundation

/// Shared by the benchmarks: the effort, a folder, and the servers, which start when they are first needed.
actor Context {
    nonisolated let effort: Effort
    nonisolated let workspace: Workspace
    private var started: Servers?
    private var mailbox: MailSetting?
    #if PostgreSQL
        private var database: PostgresSetting?
    #endif

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

    #if PostgreSQL
        func postgres() async throws -> PostgresSetting {
            if let database { return database }
            let setting = try await PostgresSetting(effort)
            database = setting
            return setting
        }
    #endif

    /// Stops the servers and removes the folder.
    func close() async {
        started?.stop()
        #if PostgreSQL
            await database?.stop()
        #endif
        await mailbox?.close()
        workspace.remove()
    }
}
