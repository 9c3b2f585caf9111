import Foundation
import Groundwork
import InboxMail
import RunningMailServer

/// The person's mail on a device.
struct MailDevice: Sendable {
    let mail: Mail
    let transport: MeasuredTransport
    let folder: URL
}

/// A mailbox on Cyrus, with a device and a Maildir of it that are created when they are first needed.
actor MailSetting {
    nonisolated let server: MailServer
    nonisolated let count: Int
    nonisolated let user: MailServer.User
    private let workspace: Workspace
    private var opened: MailDevice?
    private var fetched: Maildir?

    /// Starts a server, which ends with this process, and fills its mailbox.
    init(_ workspace: Workspace, mails count: Int) async throws {
        self.workspace = workspace
        self.count = count
        // There are no searches on the server. Its search index would be built during other measurements.
        server = try await MailServer.start(options: ["sync_log: no"])
        guard let user = server.users["alice"] else { throw BenchmarkError("the mail server has no user") }
        self.user = user
        do {
            try await fill()
        } catch {
            await server.stop()
            throw error
        }
    }

    private func fill() async throws {
        let imap = try server.imap()
        let all = MailCorpus.mails(count)
        for (folder, mails) in Dictionary(grouping: all, by: \.folder).sorted(by: { $0.key < $1.key }) {
            for start in stride(from: 0, to: mails.count, by: Self.batchSize) {
                let batch = mails[start..<min(start + Self.batchSize, mails.count)]
                try await imap.append(
                    batch.map { IMAPClient.Mail($0.bytes, flags: $0.flags, date: $0.date) },
                    to: folder
                )
            }
        }
    }

    private static let batchSize = 500

    /// Opens the person's mail in a folder. It never connects on its own and keeps all bodies.
    nonisolated func open(
        in folder: URL,
        configure: (inout MailConfiguration) -> Void = { _ in }
    ) async throws -> MailDevice {
        let transport = MeasuredTransport(URLSessionTransport())
        var configuration = MailConfiguration()
        configuration.isLive = false
        configuration.bodyBudget = .max
        configuration.transport = transport
        configure(&configuration)
        let password = user.password
        let mail = try await Mail.open(
            server: server.url,
            credentials: .basic(user: user.name) { password },
            directory: folder,
            configuration: configuration
        )
        return MailDevice(mail: mail, transport: transport, folder: folder)
    }

    /// Returns a device that has all mails with their bodies.
    func device() async throws -> MailDevice {
        if let opened { return opened }
        let new = try await open(in: workspace.subfolder("mail"))
        try await new.mail.sync()
        try await fetchBodies(new.mail)
        opened = new
        return new
    }

    /// Copies the files of a device that nothing writes to, and returns their folder.
    func copy(of device: MailDevice) throws -> URL {
        let folder = try workspace.subfolder("copies").appendingPathComponent("mail")
        try FileManager.default.copyItem(at: device.folder, to: folder)
        return folder
    }

    /// Stores a device that has all mails with their bodies, which ``device()`` then returns.
    func use(_ device: MailDevice) { opened = device }

    /// Fetches the bodies of all mails.
    nonisolated func fetchBodies(_ mail: Mail) async throws {
        let ids = try await mail.messages().map(\.id)
        guard ids.count == count else { throw BenchmarkError("\(ids.count) mails were fetched") }
        for start in stride(from: 0, to: ids.count, by: 160) {
            _ = try await mail.bodies(of: Array(ids[start..<min(start + 160, ids.count)]))
        }
    }

    /// Fetches the mailbox with mbsync.
    func fetchMaildir() throws -> Maildir {
        let maildir = try Maildir(of: user, port: server.imapPort, in: workspace.subfolder("maildir"))
        guard maildir.mails == count else { throw BenchmarkError("mbsync fetched \(maildir.mails) mails") }
        fetched = maildir
        return maildir
    }

    /// Returns the mailbox as mbsync fetched it.
    func maildir() throws -> Maildir { try fetched ?? fetchMaildir() }

    func close() async {
        await opened?.mail.close()
        await server.stop()
    }
}
