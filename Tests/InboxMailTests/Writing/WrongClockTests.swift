import Foundation
import Groundwork
import Replica
import ReplicaTesting
import StandardMailServer
import Testing

@testable import InboxMail

/// Drafts on a device whose clock shows a wrong time for a while, such as 1970 after its battery was empty.
@Suite(.timeLimit(.minutes(5))) struct WrongClockTests {
    private static let years = 50.0 * 365 * 86_400

    /// Sets the clock back, lets the device notice, and sets it right.
    private func passWrongTime(_ device: StandardDevice) async throws {
        device.clock.advance(by: -Self.years)
        try await device.mail.sync()
        try await device.settle(1)
        device.clock.advance(by: Self.years)
    }

    @Test func `a scheduled mail is sent on time after the clock was temporarily wrong`() async throws {
        try await StandardDevice.run { server, device in
            let date = device.clock.now.addingTimeInterval(7_200)
            let draft = try await device.mail.send(device.mail.draft("Later"), later: date)
            try await passWrongTime(device)
            try await device.mail.sync()
            #expect(server.deliveries.isEmpty)
            #expect(try await device.draft(draft.id)?.state == .waiting(until: date))
            try await device.settle(7_000)
            #expect(server.deliveries.isEmpty)
            try await device.settle(200)
            #expect(server.deliveries.map(\.text) == ["Later"])
        }
    }

    @Test func `a scheduled mail is sent at its date though the clock was set back`() async throws {
        try await StandardDevice.run { server, device in
            let date = device.clock.now.addingTimeInterval(7_200)
            try await device.mail.send(device.mail.draft("Later"), later: date)
            device.clock.advance(by: -86_400)
            try await device.mail.sync()
            try await device.settle(7_300)
            #expect(server.deliveries.isEmpty)
            try await device.settle(86_400)
            #expect(server.deliveries.map(\.text) == ["Later"])
        }
    }

    @Test func `a temporarily wrong clock doesn't shorten the search for a lost answer`() async throws {
        try await StandardDevice.run { server, device in
            let draft = try await device.mail.send(device.mail.draft("Hi"))
            device.transport.answer { request in
                if String(decoding: request.body ?? [], as: UTF8.self).contains("EmailSubmission/set") {
                    server.behave { $0.dies = 1 }
                }
                return server.answer(request)
            }
            _ = try? await device.settle()
            device.transport.answer { server.answer($0) }
            #expect(try await device.draft(draft.id)?.state == .sending)
            try await passWrongTime(device)
            try await device.settle(20)
            #expect(try await device.draft(draft.id)?.state == .sending)
            for _ in 0..<5 { try await device.settle(60) }
            #expect(try await device.draft(draft.id)?.state.name == "unknown")
        }
    }

    @Test func `a temporarily wrong clock ends no pause and leaves the draft's date`() async throws {
        try await StandardDevice.run { server, device in
            let draft = try await device.mail.save(device.mail.draft("Hi"))
            device.clock.advance(by: -Self.years)
            try await device.mail.sync()
            device.clock.advance(by: Self.years)
            try await device.mail.sync()
            #expect(server.mails(in: "drafts").isEmpty)
            #expect(try await device.draft(draft.id)?.updatedAt == draft.updatedAt)
            try await device.settle()
            #expect(server.mails(in: "drafts").count == 1)
        }
    }

    @Test func `a clock that is set ahead doesn't end the day in which a mail is tried`() async throws {
        try await StandardDevice.run { server, device in
            server.behave { $0.refusal = { _ in ["type": "forbiddenToSend", "description": "451 4.7.1 greylisted"] } }
            let draft = try await device.mail.send(device.mail.draft("Hi"))
            for _ in 0..<4 { try await device.settle(600) }
            for days in [2.0, -1, 3] {
                for seconds in [days * 86_400, 3_600] { try await device.settle(seconds) }
                #expect(try await device.draft(draft.id)?.state.name == "waiting", "\(days)")
            }
            server.behave { $0.refusal = { _ in nil } }
            try await device.settle(3_700)
            #expect(server.deliveries.map(\.text) == ["Hi"])
        }
    }

    /// A document of an earlier version doesn't say which is the latest time that it records.
    @Test(arguments: [false, true])
    func `a clock that is set back while the device is off lengthens no wait`(isEarlierVersion: Bool) async throws {
        try await StandardDevice.run { server, device in
            let id = try await device.mail.send(device.mail.draft("Hi")).id
            if isEarlierVersion {
                try await device.mail.store.write { writer in
                    guard let stored = try writer.db.deviceRecord(.draft, id) else { return }
                    let (json, due) = (stored.json, stored.due)
                    try writer.put(.draft, DeviceRecord(id: id, json: json, due: due, isUnsent: stored.isUnsent))
                }
            }
            await device.mail.close()
            device.clock.advance(by: -86_400)
            let next = try await StandardDevice(server, clock: device.clock, directory: device.directory)
            try await next.mail.sync()
            #expect(server.deliveries.isEmpty)
            try await next.settle(30)
            #expect(server.deliveries.map(\.text) == ["Hi"])
            await next.mail.close()
        }
    }

    @Test func `a clock that is right again at a start ends no wait early`() async throws {
        try await StandardDevice.run { server, device in
            try await device.mail.send(device.mail.draft("Hi"))
            device.clock.advance(by: -Self.years)
            try await device.mail.sync()
            await device.mail.close()
            device.clock.advance(by: Self.years)
            let next = try await StandardDevice(server, clock: device.clock, directory: device.directory)
            try await next.mail.sync()
            #expect(server.deliveries.isEmpty)
            try await next.settle()
            #expect(server.deliveries.map(\.text) == ["Hi"])
            await next.mail.close()
        }
    }

    @Test func `a clock that is set back lengthens no wait though a first look is cancelled`() async throws {
        try await StandardDevice.run { server, device in
            try await device.mail.send(device.mail.draft("Hi"))
            device.clock.advance(by: -86_400)
            let outbox = device.mail.open.outbox
            let look = Task {
                while !Task.isCancelled { await Task.yield() }
                try await outbox.flush()
            }
            look.cancel()
            await #expect(throws: CancellationError.self) { try await look.value }
            try await device.mail.sync()
            #expect(server.deliveries.isEmpty)
            try await device.settle(30)
            #expect(server.deliveries.map(\.text) == ["Hi"])
        }
    }

    /// Thousands may wait.
    @Test func `at a start, only mails that record a time to come are looked at`() async throws {
        try await StandardDevice.run { _, device in
            let now = device.clock.now.milliseconds
            let later = device.clock.now.addingTimeInterval(7_200)
            var ids: [String] = []
            for number in 0..<3 {
                ids.append(try await device.mail.send(device.mail.draft("\(number)"), later: later).id)
            }
            func found(at time: Int) async throws -> [String] {
                try await device.mail.store.read { db in try db.deviceRecordIDs(.draft, recordingLaterThan: time) }
            }
            #expect(try await found(at: now).isEmpty)
            #expect(try await found(at: now - 1) == ids)
        }
    }

    /// The second time isn't the first one.
    @Test func `a clock that is set back twice ends no wait early`() async throws {
        try await StandardDevice.run { server, device in
            try await passWrongTime(device)
            try await device.mail.send(device.mail.draft("Hi"))
            try await passWrongTime(device)
            try await device.mail.sync()
            try await device.mail.send(device.mail.draft("Other"))
            device.clock.advance(by: -3_600)
            try await device.mail.sync()
            #expect(!server.deliveries.contains { $0.text == "Other" })
            try await device.settle(30)
            #expect(server.deliveries.contains { $0.text == "Other" })
        }
    }
}
