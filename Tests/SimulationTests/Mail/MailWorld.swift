import Foundation
import Groundwork
import InboxMail
import StandardMailServer

/// A person with two devices, who writes mails and sends them while everything fails, and what must hold in the end.
///
/// Only one task uses it.
final class MailWorld {
    let seed: UInt64
    var dice: Dice
    let time = WorldTime()
    let server: StandardMailServer
    var devices: [MailDevice] = []
    private(set) var log: [String] = []
    /// The texts that have to be somewhere: in a draft or in a mail that was sent. Each is unique.
    var living: Set<String> = []
    /// The texts whose sending was ordered, by the ids of their drafts, with which nothing else was done since.
    var orders: [String: String] = [:]
    /// The texts with which a file of the same name and content was attached.
    var textsWithFile: Set<String> = []
    /// The draft of each text.
    var draftOfText: [String: String] = [:]
    /// The requests on the way.
    var delayed: [TransportRequest] = []
    /// The requests during which the server died, of processes that ended since.
    var interrupted = 0
    /// Whether a process that ended since didn't learn what the server did about a request to send, or died meanwhile.
    var hasLostAttempt = false
    /// Whether the sent mails were removed at some time.
    var hasEmptiedSent = false
    /// Whether the server refused submissions at some time.
    var hasRefused = false
    /// Whether the server refused for good to create copies that name hidden recipients, at some time.
    var hasRefusedCopies = false
    /// Whether devices sign out in this world. In others the drafts' mailbox is emptied: what a device left to the
    /// server alone when it signed out would be lost with it.
    let signsOut: Bool
    /// Whether the server shows what was submitted.
    let keepsSubmissions: Bool
    /// Whether a mail with hidden recipients was written at some time. The one that was submitted is replaced, and
    /// doesn't show any more that a submission was its.
    var hasHiddenRecipients = false
    private var textCount = 0

    init(seed: UInt64, folder: URL, killPoints: KillPoints?) async throws {
        self.seed = seed
        dice = Dice(seed)
        server = StandardMailServer(clock: time)
        signsOut = dice.chance(0.5)
        let searchesHeaders = !dice.chance(0.2)
        let keepsSubmissions = !dice.chance(0.5)
        self.keepsSubmissions = keepsSubmissions
        server.behave { behaviour in
            behaviour.searchesHeaders = searchesHeaders
            behaviour.keepsSubmissions = keepsSubmissions
        }
        if keepsSubmissions { server.keepEarlierSubmission() }
        for name in ["phone", "laptop"] {
            devices.append(try await MailDevice(name, in: folder, server, time, killPoints, seed: dice.next()))
        }
    }

    func end() async {
        for device in devices { await device.close() }
    }

    func note(_ text: String) { log.append(text) }

    func newText() -> String {
        textCount += 1
        return "text-\(seed)-\(textCount)."
    }

    // MARK: - The story

    /// Lets things happen, lets everything settle, and checks.
    ///
    /// - Returns: The first problem; nil if there is none.
    func run(steps: Int) async throws -> String? {
        for _ in 0..<steps {
            try await step()
            if dice.chance(0.3) { deliverDelayed() }
        }
        try await settle()
        return try await problem()
    }

    /// One draft with a hidden recipient, written on one device, changed and sent on the other. For deaths at each
    /// moment.
    func runStory() async throws -> String? {
        let (phone, laptop) = (devices[0], devices[1])
        try await sync(phone)
        let id = try await write(on: phone, hasBcc: true)
        time.advance(by: 6)
        try await sync(phone)
        try await sync(laptop)
        if let id {
            try await edit(id, on: laptop)
            try await send(id, on: laptop)
        }
        for _ in 0..<3 {
            time.advance(by: 10)
            try await sync(laptop)
            try await sync(phone)
        }
        try await settle()
        return try await problem()
    }

    /// Carries out an action of a process. If it dies, a new one begins.
    ///
    /// - Returns: The value; nil if the process died, or the action failed as the network or the disk did.
    @discardableResult
    func attempt<T>(_ device: MailDevice, _ what: String, _ action: (Mail) async throws -> T) async throws -> T? {
        do {
            let value = try await action(device.mail)
            if device.lifetime.isKilled {
                try await restart(device, what)
                return nil
            }
            note("\(device.name): \(what)")
            return value
        } catch {
            if device.lifetime.isKilled {
                try await restart(device, what)
            } else {
                note("\(device.name): \(what) failed: \(error)")
            }
            return nil
        }
    }

    private func restart(_ device: MailDevice, _ what: String) async throws {
        note("\(device.name) dies, during: \(what)")
        hasLostAttempt = true
        keepRequests(of: [device.wire])
        device.disk.isFull = false
        try await device.restart()
    }

    /// Keeps what is on the way of processes that end.
    func keepRequests(of wires: [MailWire]) {
        delayed += wires.flatMap { $0.takeDelayed() }
        interrupted += wires.reduce(0) { $0 + $1.interrupted }
        hasLostAttempt = hasLostAttempt || wires.contains(where: \.hasLostAttempt)
    }

    func deliverDelayed() {
        delayed += devices.flatMap { $0.wires.flatMap { $0.takeDelayed() } }
        guard let request = delayed.popLast() else { return }
        note("a late request arrives")
        _ = server.answer(request)
    }

    /// Ends all faults, and lets all devices finish.
    private func settle() async throws {
        for device in devices { device.recover() }
        server.behave { behaviour in
            behaviour.refusal = { _ in nil }
            behaviour.refusesCreation = { _ in nil }
        }
        for round in 0..<14 {
            // Late requests arrive in between, too.
            if round < 4 { deliverDelayed() }
            time.advance(by: round < 8 ? 200 : 4_000)
            for device in devices { try await sync(device) }
        }
    }
}
