import Eventually
import Groundwork
import RunningMailServer
import Testing

/// What Cyrus does with mails that it is to hold (HOLDFOR, RFC 4865), without a client library.
@Suite(.timeLimit(.minutes(5))) struct HeldSubmissionTests {
    /// Creates a mail, and submits it.
    ///
    /// - Returns: The id of the submission.
    private func submit(_ name: String, holdingFor seconds: Int, _ server: MailServer) async throws -> String {
        let boxes = try await server.jmap("Mailbox/get", ["ids": .null])["list"]?.arrayValue ?? []
        let drafts = boxes.first { $0["role"] == "drafts" }?["id"]?.stringValue ?? ""
        let mail: JSON = [
            "mailboxIds": .object(JSONObject([(drafts, true)])), "keywords": ["$draft": true],
            "messageId": [.string("\(name)@example.com")], "subject": .string(name),
            "from": [["email": "alice@example.com"]], "to": [["email": "bob@example.org"]],
            "bodyValues": ["1": ["value": "Hello"]], "textBody": [["partId": "1", "type": "text/plain"]],
        ]
        let created = try await server.jmap("Email/set", ["create": ["mail": mail]])["created"]
        let envelope: JSON = [
            "mailFrom": ["email": "alice@example.com", "parameters": ["HOLDFOR": .string("\(seconds)")]],
            "rcptTo": [["email": "bob@example.org"]],
        ]
        let submission: JSON = [
            "emailId": created?["mail"]?["id"] ?? .null, "identityId": "alice", "envelope": envelope,
        ]
        let answer = try await server.jmap("EmailSubmission/set", ["create": ["one": submission]])
        #expect(answer["created"]?["one"]?["undoStatus"] == "pending", "\(answer)")
        return try #require(answer["created"]?["one"]?["id"]?.stringValue)
    }

    private func cancel(_ id: String, _ server: MailServer) async throws -> JSON {
        let update = JSON.object(JSONObject([(id, ["undoStatus": "canceled"])]))
        return try await server.jmap("EmailSubmission/set", ["update": update])
    }

    private func status(_ id: String, _ server: MailServer) async throws -> JSON? {
        let answer = try await server.jmap("EmailSubmission/get", ["ids": [.string(id)]])
        return answer["list"]?.arrayValue?.first?["undoStatus"]
    }

    private func subjects(_ receiver: MailReceiver) async throws -> [String] {
        try await receiver.mails().compactMap { $0.header("Subject").first }.sorted()
    }

    @Test func `calalarmd sends what is held once, and nothing that was cancelled`() async throws {
        let receiver = try await MailReceiver()
        try await MailServer.run(options: receiver.options, sendsHeld: true) { server in
            let cancelled = try await submit("Cancelled", holdingFor: 15, server)
            let held = try await submit("Held", holdingFor: 17, server)
            #expect(try await cancel(cancelled, server)["updated"]?[cancelled] != nil)
            #expect(try await status(cancelled, server) == "canceled")
            #expect(try await subjects(receiver).isEmpty)
            #expect(try await eventually { try await status(held, server) == "final" })
            #expect(try await subjects(receiver) == ["Held"])
            // What is sent can't be cancelled.
            #expect(try await cancel(held, server)["notUpdated"]?[held]?["type"] == "cannotUnsend")
        }
        await receiver.stop()
    }

    @Test func `without calalarmd a held mail stays pending, and can be cancelled late`() async throws {
        let receiver = try await MailReceiver()
        try await MailServer.run(options: receiver.options) { server in
            let held = try await submit("Held", holdingFor: 1, server)
            // The daemon would have sent it within ten seconds.
            try await Task.sleep(for: .seconds(15))
            #expect(try await status(held, server) == "pending")
            #expect(try await subjects(receiver).isEmpty)
            #expect(try await cancel(held, server)["updated"]?[held] != nil)
        }
        await receiver.stop()
    }
}
