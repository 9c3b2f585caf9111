import Foundation
import Groundwork
import RunningMailServer
import Testing

/// `kill -9` while `inbox mail` writes, saves and sends, against Cyrus and a receiver of its mails: each draft's last
/// text is somewhere, and each mail is sent once.
@Suite(.serialized, .timeLimit(.minutes(60))) struct MailSendKillTests {
    private static let isLong = ProcessInfo.processInfo.environment["SWIFT_INBOX_LONG_TESTS"] != nil

    /// A place of what a process exchanges with the server.
    private enum Place {
        /// After a number of bytes.
        case bytes(Int)
        /// Before the answer with this number is passed on.
        case answer(Int)

        var isAnswer: Bool { if case .answer = self { true } else { false } }
    }

    /// A device that is logged in over a relay, which holds a process back where it is to be killed.
    private struct Desk {
        let world: World
        let server: MailServer
        let receiver: MailReceiver
        let relay: CuttingRelay

        func start(_ arguments: [String]) throws -> RunningProcess {
            try world.start(["mail"] + arguments + ["--directory", "phone"])
        }

        /// Runs a command to its end. A draft whose outcome isn't known makes it fail.
        func run(_ arguments: String...) async throws { _ = try await start(arguments).end() }

        /// The drafts of the device, without a sync.
        func drafts() async throws -> [JSON] {
            let process = try await world.run(["mail", "drafts", "--json", "--offline", "--directory", "phone"])
            return try JSON(parsing: process.output.utf8)["drafts"]?.arrayValue ?? []
        }

        /// Runs a command, and kills its process at a place of what it exchanges with the server.
        ///
        /// - Returns: Whether it was killed. Otherwise it had ended before.
        func kill(at place: Place, _ arguments: [String]) async throws -> Bool {
            switch place {
            case .bytes(let count): try await relay.hold(after: count)
            case .answer(let number): try await relay.hold(answers: number)
            }
            let process = try start(arguments)
            while try await !relay.place().isHolding, !process.hasEnded {
                try await Task.sleep(for: .milliseconds(5))
            }
            let isHeld = try await relay.place().isHolding
            if isHeld { process.signal(SIGKILL) }
            #expect(try await process.end() == (isHeld ? -SIGKILL : 0), "\(process.errors)")
            try await relay.resume()
            return isHeld
        }

        /// The places of what a command exchanges with the server: before each answer, when the server has processed
        /// the request, and some in between.
        func places(_ arguments: [String]) async throws -> [Place] {
            try await relay.hold()
            let process = try start(arguments)
            #expect(try await process.end() == 0, "\(process.errors)")
            let (size, answers, _) = try await relay.place()
            try await relay.resume()
            #expect(size > 1_000 && answers > 2)
            return (0..<answers).map(Place.answer)
                + stride(from: 0, to: size, by: MailSendKillTests.isLong ? size / 200 : size / 2).map(Place.bytes)
        }

        /// The mails of a mailbox on the server, with their texts and attachments.
        func mails(in role: String) async throws -> [JSON] {
            let mailboxes = try await server.jmap("Mailbox/get", ["ids": .null])["list"]?.arrayValue ?? []
            let id = mailboxes.first { $0["role"]?.stringValue == role }?["id"] ?? .null
            let found = try await server.jmap("Email/query", ["filter": ["inMailbox": id], "limit": 500])
            let properties: JSON = ["subject", "bcc", "preview", "attachments"]
            let answer = try await server.jmap("Email/get", ["ids": found["ids"] ?? [], "properties": properties])
            return answer["list"]?.arrayValue ?? []
        }
    }

    /// - Parameter deletesOnSend: Whether Cyrus deletes the submissions that it has sent.
    private func withDesk(deletesOnSend: Bool = false, _ body: (Desk) async throws -> Void) async throws {
        let receiver = try await MailReceiver()
        let option = "jmapsubmission_deleteonsend: \(deletesOnSend ? "yes" : "no")"
        do {
            try await World.with { world in
                try await MailServer.run(options: receiver.options + [option]) { server in
                    let relay = try await CuttingRelay(for: server)
                    let password = try #require(server.users["alice"]).password
                    try await world.run(
                        [
                            "mail", "login", "--server", "\(relay.url)", "--user", "alice", "--password-stdin",
                            "--from", "Alice <alice@example.com>", "--directory", "phone",
                        ],
                        input: password + "\n"
                    )
                    let file = world.folder.appendingPathComponent("a.bin")
                    try Data((0..<3_000).map { UInt8($0 % 251) }).write(to: file)
                    try await body(Desk(world: world, server: server, receiver: receiver, relay: relay))
                    await relay.stop()
                }
            }
        } catch {
            await receiver.stop()
            throw error
        }
        await receiver.stop()
    }

    private static func arguments(_ number: Int) -> [String] {
        [
            "compose", "--to", "bob@example.org", "--bcc", "eve@example.org", "--subject", "Mail \(number)", "--body",
            "Text \(number)", "--attach", "a.bin",
        ]
    }

    private static func subjects(_ mails: [JSON]) -> [String] {
        mails.compactMap { $0["subject"]?.stringValue }.sorted()
    }

    /// The text and the order are stored before the first byte. With a Cyrus that deletes the submissions that it has
    /// sent, the process is killed before each answer only, except in long tests.
    @Test(arguments: [false, true])
    func `a process that sends is killed at any byte, and its mail is sent once`(deletesOnSend: Bool) async throws {
        try await withDesk(deletesOnSend: deletesOnSend) { desk in
            var (number, kills) = (0, 0)
            let places = try await desk.places(Self.arguments(0) + ["--send"])
            for place in places where place.isAnswer || !deletesOnSend || Self.isLong {
                number += 1
                if try await desk.kill(at: place, Self.arguments(number) + ["--send"]) { kills += 1 }
                for _ in 0..<30 {
                    try await desk.run("outbox")
                    if try await desk.drafts().isEmpty { break }
                }
            }
            #expect(kills >= number - 1)
            #expect(try await desk.drafts().isEmpty)
            let expected = (0...number).map { "Mail \($0)" }.sorted()
            let received = try await desk.receiver.mails()
            #expect(received.compactMap { $0.header("Subject").first }.sorted() == expected)
            #expect(received.allSatisfy { $0.recipients.sorted() == ["bob@example.org", "eve@example.org"] })
            #expect(!received.contains { $0.text.contains("eve@") })
            let sent = try await desk.mails(in: "sent")
            #expect(Self.subjects(sent) == expected)
            #expect(sent.allSatisfy { $0["bcc"]?.arrayValue?.count == 1 && $0["attachments"]?.arrayValue?.count == 1 })
            #expect(try await desk.mails(in: "drafts").isEmpty)
            let kept = deletesOnSend ? "deleted" : "kept"
            print("mail kills, submissions \(kept): \(kills) processes were killed while they sent a mail")
        }
    }

    @Test func `a process that saves is killed at any byte, and its text is on the server once`() async throws {
        try await withDesk { desk in
            var number = 0
            for place in try await desk.places(Self.arguments(0)) {
                number += 1
                _ = try await desk.kill(at: place, Self.arguments(number))
                try await desk.run("drafts")
            }
            var texts = Dictionary(uniqueKeysWithValues: (0...number).map { ("Mail \($0)", "Text \($0)") })
            // A change of a draft takes the place of the version before.
            let draft = try #require(try await desk.drafts().first { $0["subject"] == "Mail 0" })
            let id = try #require(draft["id"]?.stringValue)
            var edit = 0
            for place in try await desk.places(["edit", id, "--body", "Changed"]) {
                edit += 1
                _ = try await desk.kill(at: place, ["edit", id, "--body", "Edit \(edit)"])
                texts["Mail 0"] = "Edit \(edit)"
                #expect(try await desk.drafts().contains { $0["preview"]?.stringValue == "Edit \(edit)" })
            }
            for _ in 0..<3 { try await desk.run("drafts") }
            let saved = try await desk.mails(in: "drafts")
            #expect(Self.subjects(saved) == texts.keys.sorted())
            for mail in saved {
                let subject = mail["subject"]?.stringValue ?? ""
                #expect(mail["preview"]?.stringValue == texts[subject], "\(subject)")
                #expect(mail["attachments"]?.arrayValue?.map { $0["size"] } == [3_000], "\(subject)")
            }
            let shown = try await desk.drafts()
            #expect(Self.subjects(shown) == texts.keys.sorted())
            #expect(shown.allSatisfy { texts[$0["subject"]?.stringValue ?? ""] == $0["preview"]?.stringValue })
            #expect(try await desk.receiver.mails().isEmpty)
        }
    }

    /// The moments are spread over the time that such a process takes.
    @Test func `a process that writes is killed at any time, and leaves one whole text`() async throws {
        try await withDesk { desk in
            try await desk.run("compose", "--to", "bob@example.org", "--subject", "Hi", "--body", "Text 0", "--offline")
            let id = try #require(try await desk.drafts().first?["id"]?.stringValue)
            func edit(_ number: Int) -> [String] {
                ["edit", id, "--body", "Text \(number)", "--attach", "a.bin", "--offline"]
            }
            let started = ContinuousClock.now
            try await desk.run("edit", id, "--body", "Text 1", "--offline")
            let duration = ContinuousClock.now - started
            var (text, files) = ("Text 1", 0)
            let count = Self.isLong ? 200 : 8
            for number in 0..<count {
                let process = try desk.start(edit(number + 2))
                try await Task.sleep(for: duration * number / count)
                process.signal(SIGKILL)
                let hasEnded = try await process.end() == 0
                let drafts = try await desk.drafts()
                #expect(drafts.count == 1)
                let shown = drafts.first?["preview"]?.stringValue ?? ""
                let new = "Text \(number + 2)"
                #expect(shown == new || (shown == text && !hasEnded), "\(shown) after \(text)")
                let attached = drafts.first?["attachments"]?.arrayValue?.count ?? 0
                #expect(attached == files + 1 || (attached == files && !hasEnded))
                (text, files) = (shown, attached)
            }
            // All that was attached can be read and sent.
            try await desk.run("send", id)
            let mail = try #require(try await desk.receiver.mails().first)
            #expect(mail.text.contains(text) && mail.header("Subject") == ["Hi"])
            #expect(mail.text.components(separatedBy: "filename=\"a.bin\"").count - 1 == files)
            #expect(try await desk.receiver.mails().count == 1)
        }
    }
}
