import Foundation
import InboxKitCompatibility
import RunningMailServer
import Testing

/// A device that is signed in to a mail server by InboxKit's names.
@MainActor
final class Device {
    let manager = INAPIManager()
    let namespace: INNamespace
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("kit-\(UUID())")

    init(
        _ server: MailServer,
        scope: MailScope = .everything,
        configure: (inout MailConfiguration) -> Void = { _ in }
    ) async throws {
        var configuration = MailConfiguration()
        configuration.isLive = false
        configure(&configuration)
        let password = server.users["alice"]?.password ?? ""
        namespace = try await manager.authenticate(
            server: server.url,
            credentials: .basic(user: "alice") { password },
            directory: directory,
            scope: scope,
            configuration: configuration
        )
    }

    /// Runs a test with a server that has these mails, and a device that has fetched them.
    static func run(
        _ mails: IMAPClient.Mail...,
        configure: (inout MailConfiguration) -> Void = { _ in },
        _ body: @MainActor (Device, MailServer) async throws -> Void
    ) async throws {
        try await MailServer.run { server in
            try await server.imap().append(mails)
            let device = try await Device(server, configure: configure)
            do {
                try await device.namespace.mail.sync()
                try await body(device, server)
            } catch {
                await device.end()
                throw error
            }
            await device.end()
        }
    }

    func end() async {
        await namespace.mail.close()
        try? FileManager.default.removeItem(at: directory)
    }

    /// The thread with a subject; nil if there is none.
    func thread(_ subject: String) async throws -> INThread? {
        let found = try await namespace.mail.threads(Query(where: #Predicate { $0.subject == subject })).first
        guard let found else { return nil }
        return try await namespace.thread(withID: found.id)
    }

    /// The mail with a subject; nil if there is none.
    func message(_ subject: String) async throws -> INMessage? {
        let found = try await namespace.mail.messages(Query(where: #Predicate { $0.subject == subject })).first
        guard let found else { return nil }
        return try await namespace.message(withID: found.id)
    }
}

/// A mail with a thread of its own, unless it answers another mail with an id.
func mail(
    _ subject: String,
    at minute: Int,
    _ flags: String...,
    from: String = "Anna Berger <anna@example.com>",
    to: String = "Alice <alice@example.com>",
    body: String = "Hello.",
    id: String = UUID().uuidString,
    answering: String? = nil
) -> IMAPClient.Mail {
    let answered = answering.map { "In-Reply-To: <\($0)@example.com>\nReferences: <\($0)@example.com>\n" } ?? ""
    let text = """
        From: \(from)
        To: \(to)
        Subject: \(subject)
        Date: Tue, 03 Mar 2026 10:20:30 +0100
        Message-ID: <\(id)@example.com>
        \(answered)MIME-Version: 1.0
        Content-Type: text/plain; charset=utf-8

        \(body)

        """
    return IMAPClient.Mail(
        Array(text.replacing("\n", with: "\r\n").utf8),
        flags: flags,
        date: 1_760_000_000 + minute * 60
    )
}

/// A screen with a table that only applies change sets.
@MainActor
final class Screen: INModelProviderDelegate {
    private(set) var rows: [String] = []
    private(set) var calls: [String] = []
    private(set) var errors: [any Error] = []
    private(set) var changes: [INModelProviderChangeSet] = []

    /// The text of a row.
    static func row(_ item: INModelObject) -> String {
        switch item {
        case let thread as INThread: "\(thread.subject)\(thread.unread ? " ●" : "")"
        case let message as INMessage: "\(message.subject)\(message.unread ? " ●" : "")"
        default: item.ID
        }
    }

    func removeAll() { (calls, errors, changes) = ([], [], []) }

    func providerDataChanged(_ provider: INModelProvider) {
        calls.append("changed")
        rows = provider.items.map(Self.row)
    }

    func provider(_ provider: INModelProvider, dataAltered changeSet: INModelProviderChangeSet) {
        calls.append("altered")
        changes.append(changeSet)
        for path in changeSet.indexPaths(for: .remove).sorted().reversed() where isRow(path) {
            rows.remove(at: path[1])
        }
        for path in changeSet.indexPaths(for: .add).sorted() {
            guard path[1] <= rows.count else {
                Issue.record("no row can be inserted at \(path)")
                continue
            }
            rows.insert(Self.row(provider.items[path[1]]), at: path[1])
        }
        for path in changeSet.indexPaths(for: .update) where isRow(path) {
            rows[path[1]] = Self.row(provider.items[path[1]])
        }
    }

    private func isRow(_ path: IndexPath) -> Bool {
        let isRow = rows.indices.contains(path[1])
        if !isRow { Issue.record("there is no row at \(path)") }
        return isRow
    }

    func provider(_ provider: INModelProvider, dataFetchFailed error: any Error) {
        calls.append("failed")
        errors.append(error)
    }

    func providerDataFetchCompleted(_ provider: INModelProvider) { calls.append("completed") }
}
