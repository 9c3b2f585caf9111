import Eventually
import Foundation
import Groundwork
import InboxMail
import ReplicaTesting
import StandardMailServer
import Testing

/// A device that has no network for days, or is off, with a queue of drafts and orders.
@Suite(.timeLimit(.minutes(5))) struct OfflineDaysTests {
    private static let day = 86_400.0
    private static let isLong = ProcessInfo.processInfo.environment["SWIFT_INBOX_LONG_TESTS"] != nil

    @Test func `mails sent during days offline are delivered once, with their last text`() async throws {
        try await StandardDevice.run { server, device in
            device.transport.fail(with: .unreachable)
            var ordered: [MailDraft] = []
            for number in 0..<12 {
                var draft = device.mail.draft("Text \(number)", subject: "\(number)")
                if number.isMultiple(of: 3) {
                    draft = try await device.mail.attach(Data("\(number)".utf8), named: "\(number).txt", to: draft)
                }
                ordered.append(try await device.mail.send(draft))
                device.clock.advance(by: 1)
            }
            for number in 0..<3 { try await device.mail.save(device.mail.draft("Saved \(number)")) }
            let now = device.clock.now
            try await device.mail.send(device.mail.draft("Later"), later: now.addingTimeInterval(1.5 * Self.day))
            try await device.mail.send(device.mail.draft("Much later"), later: now.addingTimeInterval(30 * Self.day))
            try await device.mail.discard(ordered[11].id)
            for _ in 0..<2 { await #expect(throws: MailError.self) { try await device.settle(Self.day / 2) } }
            // Every second one is taken back, changed and ordered again.
            for draft in ordered where Int(draft.subject)?.isMultiple(of: 2) ?? false {
                var changed = try #require(try await device.mail.undoSend(draft.id))
                changed.text += ", changed"
                try await device.mail.send(changed)
            }
            for _ in 0..<2 { await #expect(throws: MailError.self) { try await device.settle(Self.day / 2) } }
            #expect(device.transport.requests.count < 60, "a few requests find out that there is no network")
            await device.mail.close()

            // The app is ended, and opened again without a network, and then with one.
            device.clock.advance(by: Self.day / 2)
            let next = try await StandardDevice(server, clock: device.clock, directory: device.directory)
            next.transport.fail(with: .unreachable)
            await #expect(throws: MailError.self) { try await next.settle(Self.day / 2) }
            #expect(try await next.mail.drafts().count == 16 && server.deliveries.isEmpty)
            next.transport.fail(with: nil)
            for _ in 0..<2 { try await next.settle() }
            let odd = [1, 3, 5, 7, 9].map { "Text \($0)" }
            let even = [0, 2, 4, 6, 8, 10].map { "Text \($0), changed" }
            #expect(server.deliveries.map(\.text).sorted() == (odd + even + ["Later"]).sorted())
            #expect(Set(server.deliveries.map(\.messageID)).count == server.deliveries.count)
            #expect(
                server.mails(in: "drafts").compactMap { $0["preview"]?.stringValue }.filter { $0 != "Much later" }
                    .sorted() == ["Saved 0", "Saved 1", "Saved 2"]
            )
            let files = server.mails(in: "sent").flatMap { $0["attachments"]?.arrayValue ?? [] }
            #expect(files.compactMap { $0["name"]?.stringValue }.sorted() == ["0.txt", "3.txt", "6.txt", "9.txt"])
            try await next.settle(27 * Self.day)
            #expect(server.deliveries.last?.text == "Much later" && server.deliveries.count == 13)
            await next.mail.close()
        }
    }

    /// The outbox of an app that is opened works by itself.
    @Test func `a mail for later that came due while the app was closed is sent once`() async throws {
        try await StandardDevice.run { server, device in
            let date = device.clock.now.addingTimeInterval(7_200)
            try await device.mail.send(device.mail.draft("Later"), later: date)
            try await device.settle()
            await device.mail.close()
            device.clock.advance(by: 3 * Self.day)
            let next = try await StandardDevice(server, clock: device.clock, directory: device.directory) {
                $0.isLive = true
            }
            #expect(try await eventually { server.deliveries.map(\.text) == ["Later"] })
            for _ in 0..<2 { try await next.settle() }
            #expect(server.deliveries.count == 1 && server.mails(in: "sent").count == 1)
            #expect(try await next.mail.drafts().isEmpty)
            await next.mail.close()
        }
    }

    @Test func `hundreds of orders are all sent, in their order`() async throws {
        let count = Self.isLong ? 3_000 : 250
        try await StandardDevice.run { server, device in
            for number in 0..<count { try await device.mail.send(device.mail.draft("\(number)")) }
            try await device.settle(Self.day)
            #expect(server.deliveries.map(\.text) == (0..<count).map(String.init))
        }
    }
}
