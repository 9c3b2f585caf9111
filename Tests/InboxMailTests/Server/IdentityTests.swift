import Foundation
import Groundwork
import RunningMailServer
import Testing

@testable import InboxMail

/// The names and addresses under which a person may send. Cyrus has one. The test adds others to its answer.
@Suite(.timeLimit(.minutes(10))) struct IdentityTests {
    @Test func `identities keep the server's order and current values, also offline`() async throws {
        try await MailServer.run { server in
            let device = try await TestDevice(server)
            let more: [JSON] = [
                ["id": "work", "name": "Alice at work", "email": "alice@work.example"],
                ["id": "bare", "name": "", "email": "all@example.com", "replyTo": .null, "mayDelete": false],
            ]
            device.link.rewriteAnswer { _, answer in answer.withIdentities { $0 + more } }
            try await device.mail.sync()
            let all = try await device.mail.identities()
            #expect(all.count == 3 && all.dropFirst().map(\.id) == ["work", "bare"])
            #expect(all.map(\.name).suffix(2) == ["Alice at work", ""])
            #expect(all.map(\.email).suffix(2) == ["alice@work.example", "all@example.com"])
            let own = all[0]

            // One identity is removed, another one is renamed, and the server's own is kept. (Cyrus can't calculate
            // changes, so the next process fetches all identities.)
            try await device.mail.sync()
            let next = try await device.reopened(server)
            #expect(try await next.mail.identities() == all, "without network")
            next.link.rewriteAnswer { _, answer in
                answer.withIdentities { $0 + [["id": "work", "name": "Alice Ahrens", "email": "alice@work.example"]] }
            }
            try await next.mail.sync()
            let now = try await next.mail.identities()
            #expect(now == [own, MailIdentity(id: "work", name: "Alice Ahrens", email: "alice@work.example")])
            await next.end()
        }
    }
}

extension TransportResponse {
    /// Returns the response with other identities, if it has any.
    fileprivate func withIdentities(_ change: ([JSON]) -> [JSON]) -> TransportResponse {
        guard var answer = (try? JSON(parsing: body))?.objectValue, let calls = answer["methodResponses"]?.arrayValue
        else { return self }
        answer["methodResponses"] = .array(
            calls.map { call in
                guard let parts = call.arrayValue, parts[0].stringValue == "Identity/get",
                    var arguments = parts[1].objectValue, let list = arguments["list"]?.arrayValue
                else { return call }
                arguments["list"] = .array(change(list))
                return [parts[0], .object(arguments), parts[2]]
            }
        )
        var response = self
        response.body = JSON.object(answer).utf8
        return response
    }
}
