import Foundation
import Groundwork
import InboxMail
import RunningMailServer
import SeededRandom
import Testing

/// Two devices and another client change one mailbox at random, while requests and answers are lost, devices restart
/// and the server is killed.
///
/// The order of the actions is the same in each run of a seed. Their results also depend on the server's timing.
@Suite(.timeLimit(.minutes(30))) struct MailAgreementTests {
    private static let seeds: [UInt64] = {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["MAIL_SEED"].flatMap(UInt64.init) { return [seed] }
        return environment["SWIFT_INBOX_LONG_TESTS"] == nil ? [1] : Array(1...50)
    }()

    @Test(arguments: seeds)
    func `two devices and the server agree after random changes and faults`(seed: UInt64) async throws {
        try await MailServer.run { server in
            var random = Seeded(seed)
            var imap = try server.imap()
            let mails = SampleMailbox.threads(mails: 40, seed: seed).flatMap(\.mails)
            try await imap.append(mails.map { IMAPClient.Mail($0.bytes, flags: $0.flags, date: $0.date) })
            try await imap.create("Work")
            var devices = [try await TestDevice(server), try await TestDevice(server)]
            for device in devices { try await device.mail.sync() }
            for step in 0..<60 {
                let which = Int.random(in: 0..<2, using: &random)
                switch Int.random(in: 0..<20, using: &random) {
                case 0..<9: try await act(devices[which].mail, &random)
                case 9..<13: try await act(imap, step, &random)
                case 13..<18:
                    devices[which].link.fail(fault(&random))
                    // Changes that are lost here arrive later.
                    try? await devices[which].mail.sync()
                    devices[which].link.fail(nil)
                case 18: devices[which] = try await devices[which].reopened(server)
                default:
                    try await server.kill()
                    try? await devices[which].mail.sync()
                    try await server.restart()
                    imap = try server.imap()
                }
                let counts = try await devices[which].mail.counts()
                let threads = try await devices[which].mail.threads()
                #expect(counts.unread == threads.count(where: \.isUnread), "step \(step) of seed \(seed)")
            }
            for _ in 0..<2 {
                for device in devices { try await device.mail.sync() }
            }
            for device in devices {
                #expect(try await device.mail.status().pendingWrites == 0)
                try await device.expectAgreement(with: server, "seed \(seed)")
                try await expectFiles(of: device.mail, on: server, "seed \(seed)")
                await device.end()
            }
        }
    }

    /// Expects that the attachments of all mails are listed as on the server.
    private func expectFiles(of mail: Mail, on server: MailServer, _ comment: Comment) async throws {
        let ids = try await mail.messages(Query(where: #Predicate { $0.hasAttachments })).map(\.id)
        let answer = try await server.jmap("Email/get", ["ids": JSON(ids), "properties": ["attachments"]])
        let expected = (answer["list"]?.arrayValue ?? []).flatMap { mail in
            (mail["attachments"]?.arrayValue ?? []).map { part in
                "\(mail["id"]?.stringValue ?? "")/\(part["partId"]?.stringValue ?? "") \(part["blobId"]?.stringValue ?? "")"
            }
        }
        let listed = try await mail.attachments().map { "\($0.id) \($0.blobID)" }
        #expect(listed.sorted() == expected.sorted(), comment)
    }

    /// Returns a random fault, or nil for a sync without one.
    private func fault(_ random: inout Seeded) -> (@Sendable (String, Int) -> FaultyTransport.Fault?)? {
        let number = Int.random(in: 0..<4, using: &random)
        guard number > 0 else { return nil }
        let kind: FaultyTransport.Fault = Bool.random(using: &random) ? .losesRequest : .losesAnswer
        let first = Locked<Int?>(nil)
        return { _, count in
            let start = first.withLock { first in
                first = first ?? count
                return first ?? count
            }
            return count - start == number - 1 ? kind : nil
        }
    }

    private func act(_ mail: Mail, _ random: inout Seeded) async throws {
        let threads = try await mail.threads().map(\.id)
        let messages = try await mail.messages().map(\.id)
        guard let thread = threads.randomElement(using: &random), let message = messages.randomElement(using: &random),
            let work = try await mail.mailboxes().first(where: { $0.name == "Work" })?.id
        else { return }
        switch Int.random(in: 0..<10, using: &random) {
        case 0: try await mail.markRead(threads: [thread])
        case 1: try await mail.markUnread(threads: [thread])
        case 2: try await mail.star(messages: [message])
        case 3: try await mail.unstar(messages: [message])
        case 4: try await mail.archive(threads: [thread])
        case 5: try await mail.unarchive(threads: [thread])
        case 6: try await mail.trash(threads: [thread])
        case 7: try await mail.addLabel(work, toThreads: [thread])
        case 8:
            // The mailbox may no longer exist on the server. Then the move is refused and reverted.
            let own = try await mail.mailboxes().filter { $0.role == nil }.map(\.id)
            try await mail.move(threads: [thread], to: own.randomElement(using: &random) ?? work)
        default: try await mail.markUnread(messages: [message])
        }
    }

    private func act(_ imap: IMAPClient, _ step: Int, _ random: inout Seeded) async throws {
        let own = try await imap.folders().filter { $0.contains("Box") }.sorted()
        if Bool.random(using: &random) { return try await change(own, imap, step, &random) }
        let folder = (["INBOX", "Archive", "Work"] + own).randomElement(using: &random) ?? "INBOX"
        let uids = try await imap.mails(in: folder).map(\.uid)
        let some = Array(uids.shuffled(using: &random).prefix(3))
        switch Int.random(in: 0..<6, using: &random) {
        case 0: if !some.isEmpty { try await imap.flag(some, in: folder, add: ["\\Seen"]) }
        case 1: if !some.isEmpty { try await imap.flag(some, in: folder, add: ["\\Flagged"], remove: ["\\Seen"]) }
        case 2:
            if !some.isEmpty {
                try await imap.move(some, from: folder, to: folder == "INBOX" ? own.first ?? "Archive" : "INBOX")
            }
        case 3: if !some.isEmpty { try await imap.copy(some, from: folder, to: folder == "Work" ? "INBOX" : "Work") }
        case 4: if let first = some.first { try await imap.expunge([first], in: folder) }
        default:
            let sample = SampleMailbox.threads(mails: 1, seed: UInt64.random(in: 1_000..<1_000_000, using: &random))
            try await imap.append(sample.flatMap(\.mails).map { IMAPClient.Mail($0.bytes, date: $0.date) }, to: folder)
        }
    }

    /// Creates, renames or removes a mailbox with its mails. Some mailboxes are nested.
    private func change(_ own: [String], _ imap: IMAPClient, _ step: Int, _ random: inout Seeded) async throws {
        let name = (Bool.random(using: &random) ? "Work/" : "") + "Box \(step)"
        guard let folder = own.randomElement(using: &random) else { return try await imap.create(name) }
        switch Int.random(in: 0..<3, using: &random) {
        case 0: try await imap.create(name)
        case 1: try await imap.rename(folder, to: name)
        default: try await imap.remove(folder)
        }
    }
}
