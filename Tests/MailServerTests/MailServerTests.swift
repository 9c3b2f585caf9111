import Foundation
import Groundwork
import LinePrograms
import RunningMailServer
import Testing

@Suite(.timeLimit(.minutes(10))) struct MailServerTests {
    @Test func `a session is returned for Basic and Bearer authorization only`() async throws {
        try await MailServer.run(users: ["alice", "bob"]) { server in
            let redirect = try await server.http("GET", "/.well-known/jmap")
            #expect(redirect.status == 301)
            #expect(redirect.headers["location"] == "\(server.url)/jmap")

            let session = try JSON(parsing: await server.http("GET", "/jmap").body)
            #expect(session["username"] == "alice")
            #expect(session["accounts"]?["alice"]?["isPersonal"] == true)
            // Relative to the session's URL: clients have to resolve it.
            #expect(session["apiUrl"] == "/jmap/")

            let token = try #require(server.users["bob"]?.token)
            let bobs = try await server.http("GET", "/jmap", authorization: "Bearer \(token)")
            #expect(try JSON(parsing: bobs.body)["username"] == "bob")
            #expect(try await server.http("GET", "/jmap", authorization: "Bearer a.b.c").status == 401)
            #expect(try await server.http("GET", "/jmap", authorization: "Basic YTpi").status == 401)
        }
    }

    @Test func `the first login creates a folder for each role`() async throws {
        try await MailServer.run { server in
            let boxes = try await server.jmap("Mailbox/get", ["ids": .null])["list"]?.arrayValue ?? []
            let roles = boxes.compactMap { $0["role"]?.stringValue }
            #expect(Set(roles) == ["inbox", "archive", "drafts", "junk", "sent", "trash"])
        }
    }

    @Test func `a server killed and restarted has lost nothing`() async throws {
        try await MailServer.run { server in
            let client = try server.imap()
            try await client.append(SampleMailbox.threads(mails: 200, seed: 1).flatMap(\.mails))
            try await client.flag([1], add: ["\\Flagged", "$last"])
            let before = try await client.mails()
            #expect(processes(naming: server.folder) > 0)

            try await server.kill()
            #expect(processes(naming: server.folder) == 0)
            await #expect(throws: Failure.self) { try await client.mails() }
            await #expect(throws: TransportError.self) { try await server.jmap("Mailbox/get") }

            try await server.restart()
            #expect(try await client.mails() == before)
            let found = try await server.jmap("Email/query", ["filter": ["hasKeyword": "$last"]])["ids"]
            #expect(found?.arrayValue?.count == 1)
            await #expect(throws: Failure.self, "started twice") { try await server.restart() }
        }
    }

    @Test func `a stopped server leaves no process and no folder`() async throws {
        let server = try await MailServer.start()
        try await server.imap().append([IMAPClient.Mail(SampleMail.plainText.bytes)])
        #expect(processes(naming: server.folder) > 0)
        await server.stop()
        #expect(processes(naming: server.folder) == 0)
        #expect(!FileManager.default.fileExists(atPath: server.folder.path(percentEncoded: false)))
        await #expect(throws: Failure.self) { try await server.restart() }
    }

    @Test func `several servers at once each have their own mail`() async throws {
        try await withThrowingTaskGroup { group in
            for number in 1...4 {
                group.addTask {
                    try await MailServer.run { server in
                        let mail = IMAPClient.Mail(SampleMail.plainText.bytes)
                        try await server.imap().append(Array(repeating: mail, count: number))
                        #expect(try await server.imap().mails().count == number)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `an invalid option is reported`() async throws {
        let failure = await #expect(throws: Failure.self) {
            try await MailServer.start(options: ["allowplaintext: perhaps"])
        }
        #expect(failure?.description.contains("ended with") == true)
    }

    /// The number of processes that have the folder in their arguments.
    private func processes(naming folder: URL) -> Int {
        let name = Data(folder.lastPathComponent.utf8)
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.count { process in
            guard Int(process) != nil, let line = FileManager.default.contents(atPath: "/proc/\(process)/cmdline")
            else {
                return false
            }
            // The script runs until the server has stopped.
            return line.range(of: name) != nil && line.range(of: Data("scripts/cyrus".utf8)) == nil
        }
    }
}
