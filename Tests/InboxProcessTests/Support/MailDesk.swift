import Foundation
import Groundwork
import RunningMailServer
import Testing

extension World {
    /// Logs the device `phone` in to Alice's mail.
    func logIn(to server: MailServer, _ options: String...) async throws {
        let user = try #require(server.users["alice"])
        let login = ["mail", "login", "--server", "\(server.url)", "--user", "alice", "--password-stdin"]
        try await run(login + options + ["--directory", "phone"], input: user.password + "\n")
    }

    /// Starts `inbox mail` at a terminal, with a script as the editor.
    func start(_ arguments: [String], editor: String, at terminal: TypedTerminal) throws -> RunningProcess {
        let script = folder.appendingPathComponent("editor with space")
        try Data("#!/bin/sh\nset -eu\n\(editor)\n".utf8).write(to: script)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script.path)
        return try start(
            ["mail"] + arguments + ["--directory", "phone"],
            terminal: terminal,
            environment: ["EDITOR": "'\(script.path)'"]
        )
    }
}

/// A device that is logged in, the server, and what the server has delivered.
struct MailDesk {
    let world: World
    let server: MailServer
    let receiver: MailReceiver

    /// Runs `inbox mail`.
    @discardableResult
    func run(
        _ arguments: String...,
        input: String? = nil,
        status: Int32 = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> RunningProcess {
        try await world.run(
            ["mail"] + arguments + ["--directory", "phone"],
            input: input,
            status: status,
            sourceLocation: sourceLocation
        )
    }

    func json(_ arguments: String..., input: String? = nil, status: Int32 = 0) async throws -> JSON {
        let process = try await world.run(
            ["mail"] + arguments + ["--json", "--directory", "phone"],
            input: input,
            status: status
        )
        return try JSON(parsing: process.output.utf8)
    }

    /// The drafts in `drafts --json`.
    func drafts() async throws -> [JSON] { try await json("drafts")["drafts"]?.arrayValue ?? [] }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: world.folder.appendingPathComponent(name))
    }

    /// Starts a command at a terminal, with a script as the editor.
    func start(_ arguments: [String], editor: String, at terminal: TypedTerminal) throws -> RunningProcess {
        try world.start(arguments, editor: editor, at: terminal)
    }

    /// Runs a test with a device, and stops the server and the receiver afterwards.
    static func with(_ body: (MailDesk) async throws -> Void) async throws {
        let receiver = try await MailReceiver()
        do {
            try await World.with { world in
                try await MailServer.run(options: receiver.options) { server in
                    try await server.imap().append([
                        IMAPClient.Mail(Self.letter, flags: [], date: 1_700_000_000),
                        IMAPClient.Mail(Self.newsletter, flags: [], date: 1_600_000_000),
                    ])
                    try await world.logIn(to: server, "--from", "Alice Müller <alice@example.com>")
                    try await body(MailDesk(world: world, server: server, receiver: receiver))
                }
            }
        } catch {
            await receiver.stop()
            throw error
        }
        await receiver.stop()
    }

    private static let letter = Array(
        """
        From: Anna Berger <anna@example.com>
        To: Alice <alice@example.com>, Bob <bob@example.org>
        Subject: Plans
        Date: Tue, 03 Mar 2026 10:20:30 +0100
        Message-ID: <plans@example.com>
        MIME-Version: 1.0
        Content-Type: text/plain; charset=utf-8

        Shall we meet?

        """.replacing("\n", with: "\r\n").utf8
    )

    private static let newsletter = Array(
        """
        From: News <news@example.com>
        To: Alice <alice@example.com>
        Subject: News
        Date: Sun, 13 Sep 2020 12:26:40 +0000
        Message-ID: <news@example.com>
        MIME-Version: 1.0
        Content-Type: text/html; charset=utf-8

        <p>Big <b>news</b></p>

        """.replacing("\n", with: "\r\n").utf8
    )
}
