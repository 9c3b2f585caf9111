import Foundation
import Groundwork
import InboxMail
import ReplicaTesting
import StandardMailServer
import Testing

/// Mails that the server holds while the device's clock is set. The server's goes on, and is the same for all.
@Suite(.timeLimit(.minutes(5))) struct HeldClockTests {
    private static let hour = 3_600.0

    /// A server's clock, which is ahead of the device's by a difference.
    private final class ServerClock: WallClock {
        private let device: ManualClock
        private let difference: Locked<Double>

        init(_ device: ManualClock, ahead difference: Locked<Double>) {
            (self.device, self.difference) = (device, difference)
        }

        var now: Date { device.now.addingTimeInterval(difference.withLock { $0 }) }

        func sleep(until time: Date) async throws {
            try await device.sleep(until: time.addingTimeInterval(-difference.withLock { $0 }))
        }
    }

    /// Runs a test with a device whose clock can be set.
    ///
    /// - Parameters:
    ///   - ahead: The time by which the server's clock is ahead at first, in seconds.
    ///   - statesDate: Whether the server's answers say what its clock does.
    private func run(
        ahead: Double = 0,
        statesDate: Bool,
        isolation: isolated (any Actor)? = #isolation,
        behave: @Sendable (inout StandardMailServer.Behaviour) -> Void = { _ in },
        _ body: (StandardMailServer, StandardDevice, _ setClock: (Double) -> Void) async throws -> Void
    ) async throws {
        let difference = Locked(ahead)
        try await StandardDevice.runHolding(
            makeServer: { StandardMailServer(clock: ServerClock($0, ahead: difference)) },
            behave: { behaviour in
                behaviour.statesDate = statesDate
                behave(&behaviour)
            }
        ) { server, device in
            try await body(server, device) { seconds in
                difference.withLock { $0 -= seconds }
                device.clock.advance(by: seconds)
            }
        }
    }

    /// Takes a held mail back, with requests to cancel it that don't reach the server.
    private func loseCancelling(_ id: String, _ server: StandardMailServer, _ device: StandardDevice) async {
        device.transport.answer { request in
            let text = String(decoding: request.body ?? [], as: UTF8.self)
            if text.contains("canceled") { throw TransportError.unreachable("lost") }
            return server.answer(request)
        }
        await #expect(throws: MailError.self) { try await device.mail.undoSend(id) }
    }

    private func isSent(_ id: String, _ device: StandardDevice) async throws -> Bool {
        if case .sent = try await device.mail.outcome(ofDraft: id) { true } else { false }
    }

    @Test(arguments: [true, false], [true, false])
    func `a held mail counts as sent at its time though the clock was set back`(
        statesDate: Bool,
        isRestarted: Bool
    ) async throws {
        try await run(statesDate: statesDate) { server, device, setClock in
            let held = try await device.hold("Held")
            if isRestarted { await device.mail.close() }
            setClock(-2 * Self.hour)
            let next: StandardDevice
            if isRestarted {
                next = try await StandardDevice(server, clock: device.clock, directory: device.directory)
            } else {
                next = device
            }
            try await next.mail.sync()
            #expect(try await next.draft(held.id)?.holder == .server)
            try await next.settle(Self.hour + 60)
            #expect(server.textsToBob == ["Held"])
            #expect(try await isSent(held.id, next))
            if isRestarted { await next.mail.close() }
        }
    }

    /// The server removes what it has sent, and what was cancelled. It isn't known which of both it was.
    @Test(arguments: [true, false])
    func `a mail that may be sent is no draft again after the clock was set back`(
        statesDate: Bool
    ) async throws {
        try await run(statesDate: statesDate, behave: { $0.removesEndedSubmissions = true }) {
            server,
            device,
            setClock in
            let held = try await device.hold("Held")
            setClock(-2 * Self.hour)
            await loseCancelling(held.id, server, device)
            device.clock.advance(by: Self.hour + 1)
            device.transport.answer { server.answer($0) }
            for _ in 0..<2 { try await device.settle(300) }
            #expect(server.textsToBob == ["Held"])
            #expect(try await device.draft(held.id)?.state.name == "unknown")
        }
    }

    /// The device is off meanwhile. The server doesn't say when it sends the mail as it takes it, and removes what it
    /// has sent.
    ///
    /// - Parameter minutes: The minutes after which a request to cancel it is lost. It is sent after an hour.
    @Test(arguments: [(50.0, false), (20.0, true)])
    func `a mail that may be sent is no draft again if the clock was set back meanwhile`(
        minutes: Double,
        statesDate: Bool
    ) async throws {
        try await run(statesDate: statesDate, behave: { $0.removesEndedSubmissions = true }) {
            server,
            device,
            setClock in
            device.transport.answer { request in
                var answer = server.answer(request)
                guard String(decoding: request.body ?? [], as: UTF8.self).contains("HOLDFOR") else { return answer }
                let text = String(decoding: answer.body, as: UTF8.self)
                answer.body = Array(text.replacing(/"sendAt":"[^"]*"/, with: #""other":"""#).utf8)
                return answer
            }
            let held = try await device.hold("Held")
            device.clock.advance(by: minutes * 60)
            await loseCancelling(held.id, server, device)
            await device.mail.close()
            device.clock.advance(by: Self.hour - minutes * 60 + 60)
            setClock(-Self.hour / 2)
            let next = try await StandardDevice(server, clock: device.clock, directory: device.directory)
            for _ in 0..<2 { try await next.settle(300) }
            #expect(server.textsToBob == ["Held"])
            #expect(try await next.draft(held.id)?.state.name == "unknown")
            await next.mail.close()
        }
    }

    /// At first it is two hours behind.
    @Test(arguments: [true, false])
    func `a held mail stays with the server after the clock was set right`(statesDate: Bool) async throws {
        try await run(ahead: 2 * Self.hour, statesDate: statesDate) { server, device, setClock in
            let held = try await device.hold("Held")
            setClock(2 * Self.hour)
            for _ in 0..<4 { try await device.settle(300) }
            #expect(try await device.draft(held.id)?.holder == .server)
            #expect(server.textsToBob.isEmpty)
            #expect(try await device.mail.heldSendingCheck()?.isVerified ?? false)
            for _ in 0..<2 { try await device.settle(Self.hour) }
            #expect(server.textsToBob == ["Held"] && server.mails(in: "sent").count == 1)
            #expect(try await isSent(held.id, device))
        }
    }

    /// As after a correction to a wrong time. The server's answers show what is left.
    @Test func `a held mail is due at the server's time after the clock was set forward`() async throws {
        try await run(statesDate: true) { server, device, setClock in
            let held = try await device.hold("Held")
            setClock(2 * Self.hour)
            for _ in 0..<4 { try await device.settle(300) }
            let time = device.clock.now.addingTimeInterval(Self.hour - 6 - 4 * 300)
            #expect(try await device.draft(held.id)?.state == .waiting(until: time))
            #expect(server.textsToBob.isEmpty)
            #expect(try await device.mail.cancel(held.id))
            for _ in 0..<2 { try await device.settle(Self.hour) }
            #expect(server.textsToBob.isEmpty && server.mails(in: "sent").isEmpty)
        }
    }
}
