import Foundation
import Groundwork
import RunningMailServer
import Testing

/// Logging in to mail with an address, in a browser, and logging out.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct MailSignInCommandTests {
    /// Debian's Chromium, whose person answers the page that asks for consent.
    private func browser(_ world: World, _ answer: String) throws -> [String: String] {
        let file = world.folder.appendingPathComponent("browser-\(answer)")
        let person = MailServer.repository.appending(path: "Tests/RunningMailServer/person.py").path
        let python = MailServer.repository.appending(path: "scripts/python").path
        let program = """
            #!/bin/sh
            printf '{"page": "%s", "press": "button[value=\(answer)]"}\\n' "$1" | '\(python)' python3 '\(person)'

            """
        try Data(program.utf8).write(to: file)
        chmod(file.path, 0o755)
        return ["BROWSER": file.path]
    }

    private func login(_ world: World, _ server: SignInServer, _ answer: String = "allow") async throws
        -> RunningProcess
    {
        let process = try world.start(
            ["mail", "login", "alice@example.com", "--server", "\(server.url)", "--directory", "phone"],
            environment: try browser(world, answer)
        )
        _ = try await process.end()
        return process
    }

    /// The contents of all files of the device.
    private func files(_ world: World) throws -> [(name: String, mode: Int, bytes: Data)] {
        let folder = world.folder.appendingPathComponent("phone")
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return try names.compactMap { name in
            let path = folder.appendingPathComponent(name).path
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            guard attributes[.type] as? FileAttributeType == .typeRegular else { return nil }
            let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
            return (name, mode, try Data(contentsOf: URL(fileURLWithPath: path)))
        }
    }

    @Test func `an address logs in in the browser, and logging out revokes the access`() async throws {
        try await World.with { world in
            try await MailServer.run { server in
                let authorization = try await SignInServer(before: server)
                try await server.imap().append([
                    IMAPClient.Mail(
                        Array("From: a@example.com\r\nSubject: Plans\r\n\r\nHi\r\n".utf8),
                        date: 1_700_000_000
                    )
                ])

                let denied = try await login(world, authorization, "deny")
                #expect(denied.errors.contains("The access was denied"), "\(denied.errors)")
                #expect(!FileManager.default.fileExists(atPath: world.folder.appendingPathComponent("phone").path))

                let process = try await login(world, authorization)
                let confirmation =
                    "Logged in as alice@example.com at \(authorization.url). 1 thread, 1 unread in the inbox.\n"
                #expect(process.output == confirmation, "\(process.output) \(process.errors)")
                // The page's address is printed in any case.
                #expect(process.errors.contains("\(authorization.url)/authorize?"), "\(process.errors)")

                // The tokens are in one file, which only the owner can read, and nowhere else.
                let tokens = try #require(try files(world).first { $0.name.hasPrefix("tokens/") && $0.bytes.count > 2 })
                let token = try #require(try JSON(parsing: tokens.bytes)["accessToken"]?.stringValue)
                #expect(tokens.mode == 0o600)
                #expect(try files(world).filter { $0.bytes.range(of: Data(token.utf8)) != nil }.count == 1)
                #expect(!process.output.contains(token) && !process.errors.contains(token))

                // A rejected token is refreshed; an access that has ended needs a login.
                try await authorization.expire()
                #expect(try await world.run(["mail", "list", "--directory", "phone"]).output.contains("Plans"))
                #expect(try await authorization.facts()["refreshes"] == 1)
                try await authorization.expire(refreshTokens: true)
                try await needsLogin(world)
                _ = try await login(world, authorization)
                let status = try await world.run(["mail", "status", "--json", "--directory", "phone"]).output
                #expect(try JSON(parsing: status.utf8)["synced"] == true, "\(status)")
                // The tokens of the first login are gone.
                let folders = Set(try files(world).filter { $0.bytes.count > 2 }.map(\.name)).filter {
                    $0.hasPrefix("tokens")
                }
                #expect(folders.count == 1 && folders.allSatisfy { $0.hasPrefix("tokens-") }, "\(folders)")
                // A login that is given up leaves those of this one.
                #expect(try await login(world, authorization, "deny").errors.contains("The access was denied"))
                let second = try await world.run(["mail", "status", "--json", "--directory", "phone"]).output
                #expect(try JSON(parsing: second.utf8)["synced"] == true, "\(second)")

                let logout = try await world.run(["mail", "logout", "--directory", "phone"])
                #expect(logout.output.hasPrefix("Logged out as alice@example.com"))
                #expect(try await authorization.facts()["revoked"] == 1)
                // What is left are empty files of locks.
                let rest = try files(world).filter { !$0.bytes.isEmpty }.map(\.name)
                #expect(rest.isEmpty, "\(rest)")
                _ = try await world.run(["mail", "list", "--directory", "phone"], status: 2)
                await authorization.stop()
            }
        }
    }

    /// Checks that commands show and store what they can, and exit with 2.
    private func needsLogin(_ world: World) async throws {
        let listed = try await world.run(["mail", "list", "--json", "--directory", "phone"], status: 2)
        let thread = try JSON(parsing: listed.output.utf8)["threads"]?.arrayValue?.first
        let id = try #require(thread?["id"]?.stringValue)
        for (command, output) in [
            (["list"], "Plans"), (["search", "Plans"], "Plans"), (["search", "--server", "Plans"], "Plans"),
            (["read", id], "Plans"), (["status"], "alice@example.com"), (["drafts"], "No drafts."),
            (["outbox", "--json"], #""synced":false"#), (["star", id], "1 starred. Waiting to be sent: "),
            (["star", id, "--json"], #""sent":false"#),
        ] {
            let process = try await world.run(["mail"] + command + ["--directory", "phone"], status: 2)
            #expect(process.output.contains(output), "\(command): \(process.output)")
            #expect((process.output + process.errors).contains("inbox mail login"), "\(command): \(process.errors)")
        }
        let unknown = try await world.run(["mail", "read", "nonesuch", "--directory", "phone"], status: 2)
        #expect(unknown.errors.contains("No thread"), "\(unknown.errors)")
        try await world.run(["mail", "list", "--offline", "--directory", "phone"])
    }

    @Test func `a mail login with an invalid address or a password option is an error`() async throws {
        try await World.with { world in
            let wrong = try await world.run(["mail", "login", "anna", "--directory", "phone"], status: 64)
            #expect(wrong.errors.contains("name@domain"), "\(wrong.errors)")
            for more in [["--password-stdin"], ["--user", "anna"]] {
                _ = try await world.run(["mail", "login", "anna@example.com"] + more, status: 64)
            }
            let missing = try await world.run(["mail", "login"], status: 64)
            #expect(missing.errors.contains("mail address"), "\(missing.errors)")
        }
    }
}
