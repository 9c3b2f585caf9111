import Foundation
import Groundwork
import InboxMail
import RunningMailServer

/// Sending mails that wait, compared with bare JMAP requests that create and submit the same mails on the same server,
/// one after the other.
enum MailSendingBenchmark {
    private static let count = 100

    static func run(_ context: Context) async throws -> [Line] {
        let receiver = try await MailReceiver()
        do {
            let server = try await MailServer.start(options: receiver.options + ["sync_log: no"])
            do {
                let line = try await line(context, server, receiver)
                await server.stop()
                await receiver.stop()
                return [line]
            } catch {
                await server.stop()
                throw error
            }
        } catch {
            await receiver.stop()
            throw error
        }
    }

    private static func line(_ context: Context, _ server: MailServer, _ receiver: MailReceiver) async throws -> Line {
        guard let user = server.users["alice"] else { throw BenchmarkError("the mail server has no user") }
        var configuration = MailConfiguration()
        configuration.isLive = false
        configuration.undoSendInterval = 0
        configuration.sender = sender
        let password = user.password
        let mail = try await Mail.open(
            server: server.url,
            credentials: .basic(user: user.name) { password },
            directory: context.workspace.subfolder("sending"),
            configuration: configuration
        )
        try await mail.sync()
        let mailboxes = try await mail.mailboxes()
        guard let drafts = mailboxes.first(where: { $0.role == .drafts })?.id,
            let sent = mailboxes.first(where: { $0.role == .sent })?.id,
            let identity = try await mail.identities().first?.id
        else { throw BenchmarkError("the account lacks mailboxes or an identity") }
        let raw = RawSender(server: server, account: user.name, drafts: drafts, sent: sent, identity: identity)
        var rounds: [(ours: Double, raw: Double)] = []
        for round in 0...context.effort.rounds {
            let ours = try await seconds {
                for number in 0..<count {
                    var draft = mail.newDraft()
                    draft.to = [recipient]
                    (draft.subject, draft.text) = ("Mail \(round)-\(number)", text)
                    try await mail.send(draft)
                }
                try await mail.sync()
            }
            let theirs = try await seconds {
                for number in 0..<count { try await raw.send("Raw \(round)-\(number)", text) }
            }
            if round > 0 { rounds.append((ours, theirs)) }
        }
        let waiting = try await mail.drafts().count { $0.state != .sent }
        await mail.close()
        let received = try await receiver.mails().count
        guard waiting == 0, received == 2 * count * (context.effort.rounds + 1) else {
            throw BenchmarkError("\(received) mails were received, \(waiting) wait")
        }
        return Line(
            "send \(count) mails",
            .time,
            rounds: rounds,
            goal: 1.3,
            note: "Mail.send of each, then sync(): stored, sent once, and among the sent mails; raw: Email/set and "
                + "EmailSubmission/set in a request each, on the same server"
        )
    }

    static let sender = EmailAddress(name: "Alice", email: "alice@example.com")
    static let recipient = EmailAddress(name: "Bob", email: "bob@example.org")
    private static let text = String(repeating: "What a person writes. ", count: 90)
}

/// Sends mails by JMAP requests, without a store.
private struct RawSender {
    let server: MailServer
    let account: String
    let drafts, sent, identity: String

    func send(_ subject: String, _ text: String) async throws {
        let (sender, recipient) = (MailSendingBenchmark.sender.email, MailSendingBenchmark.recipient.email)
        let mail: JSON = [
            "mailboxIds": .object(JSONObject([(drafts, true)])), "keywords": ["$seen": true, "$draft": true],
            "from": [["name": "Alice", "email": .string(sender)]],
            "to": [["name": "Bob", "email": .string(recipient)]], "subject": .string(subject),
            "bodyStructure": ["partId": "text", "type": "text/plain"],
            "bodyValues": ["text": ["value": .string(text)]],
        ]
        let create: JSON = ["accountId": .string(account), "create": ["mail": mail]]
        let submission: JSON = [
            "emailId": "#mail", "identityId": .string(identity),
            "envelope": ["mailFrom": ["email": .string(sender)], "rcptTo": [["email": .string(recipient)]]],
        ]
        let patch: JSON = .object(
            JSONObject([("mailboxIds/\(drafts)", .null), ("mailboxIds/\(sent)", true), ("keywords/$draft", .null)])
        )
        let submit: JSON = [
            "accountId": .string(account), "create": ["submission": submission],
            "onSuccessUpdateEmail": ["#submission": patch],
        ]
        let body: JSON = [
            "using": [
                "urn:ietf:params:jmap:core", "urn:ietf:params:jmap:mail", "urn:ietf:params:jmap:submission",
            ],
            "methodCalls": [["Email/set", create, "0"], ["EmailSubmission/set", submit, "1"]],
        ]
        let response = try await server.http("POST", "/jmap/", body.utf8)
        guard response.status == 200, !String(decoding: response.body, as: UTF8.self).contains("notCreated\":{") else {
            throw BenchmarkError("the mail server refuses a mail: \(String(decoding: response.body, as: UTF8.self))")
        }
    }
}
