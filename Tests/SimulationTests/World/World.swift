import Foundation
import Groundwork
import InboxClient
import JMAP

/// One simulated world: a server, its sender, and the devices of one person, in which things happen as a seed says.
///
/// One thing happens at a time, and whatever happens is waited for, so that a seed is always the same world. What
/// happens while a request is on its way happens inside of that request.
actor World {
    static let person = "ana"

    let seed: UInt64
    let folder: URL
    let time = WorldTime()
    let core: CoreCapability
    /// Where a process is to die at one certain moment.
    let moments: Moments?
    var dice: Dice
    var server: SimulatedServer
    let serverRandom: RandomSource
    var devices: [SimulatedDevice] = []
    /// The devices as they were before somebody signed out on them: what they sent may still arrive.
    var former: [SimulatedDevice] = []
    var ledger = Ledger()
    var events = EventLedger()
    var sent: [String: SentMessage] = [:]
    /// The titles that the app's backend has set, by surface.
    var titles: [String: String] = [:]
    /// Requests that the network holds back, with the device from which they come.
    var delayed: [(request: TransportRequest, device: String)] = []
    /// What was done last, to which message.
    var last: (id: String, action: Action)?
    /// Whether nothing fails: at the very beginning, and in the end.
    var isCalm = true
    /// How much goes wrong, from 0 to 1.
    let roughness: Double
    /// How many requests are on their way, one inside of the other.
    var depth = 0
    private(set) var log: [String] = []
    private(set) var failure: String?

    /// How many things happen before all comes to rest, those inside of others aside.
    static let steps = 32

    init(seed: UInt64, folder: URL, template: URL, moments: Moments?) async throws {
        self.seed = seed
        self.folder = folder
        self.moments = moments
        var dice = Dice(seed)
        var core = CoreCapability()
        core.maxConcurrentRequests = 100
        if dice.chance(0.6) { core.maxObjectsInGet = dice.int(2...8) }
        if dice.chance(0.6) { core.maxObjectsInSet = dice.int(1...4) }
        self.core = core
        roughness = dice.pick([0.15: 3, 0.5: 4, 1: 3])
        serverRandom = dice.source()
        let file = folder.appendingPathComponent("server.sqlite")
        try FileManager.default.copyItem(at: template, to: file)
        server = try await SimulatedServer(file: file, clock: time, random: serverRandom, core: core)
        self.dice = dice
    }

    /// Lets things happen, then lets all come to rest, and looks whether all agree.
    ///
    /// - Returns: What was wrong first; nil where nothing was.
    func run() async throws -> String? {
        try await begin()
        for _ in 0..<Self.steps where failure == nil {
            time.advance(by: 1)
            await happen()
            try await checkDevices()
        }
        if failure == nil { try await settle() }
        return try await close()
    }

    /// Lets go of all files.
    ///
    /// - Returns: What was wrong first; nil where nothing was.
    func close() async throws -> String? {
        for device in devices {
            for process in device.processes { await process.inbox.close() }
        }
        try server.close()
        return failure
    }

    func note(_ line: @autoclosure () -> String) {
        log.append(
            "\(Int(time.now.timeIntervalSince1970) - 1_777_593_600)\(String(repeating: "  ", count: depth + 1))\(line())"
        )
    }

    /// Remembers what was wrong first; the world stops at its next step.
    func expect(_ isTrue: Bool, _ problem: @autoclosure () -> String) {
        guard !isTrue, failure == nil else { return }
        failure = problem()
        note("WRONG: \(problem())")
    }

    /// Something can't be done that has to be possible.
    func expectNothing(_ what: String, _ error: any Error) {
        expect(false, "\(what) failed: \(error)")
    }

    /// Opens the devices, sends a few messages, and lets most of the devices sync.
    private func begin() async throws {
        let names = ["phone", "tablet", "laptop"].prefix(dice.int(2...3))
        // Windows of different sizes, or none.
        let isLimited = dice.chance(0.6)
        for name in names {
            let limit = isLimited && dice.chance(0.8) ? dice.int(1...4) : nil
            let device = SimulatedDevice(
                name: name,
                folder: folder.appendingPathComponent(name),
                limit: limit,
                // A new device asks for fewer, more or as many.
                firstLimit: isLimited && dice.chance(0.5) ? dice.int(1...5) : limit
            )
            devices.append(device)
            await open(device)
        }
        // Two processes on one store, such as an app and its extension.
        if dice.chance(0.3), let device = dice.pick(devices) { await open(device) }
        for _ in 0..<dice.int(1...4) { await send() }
        for device in devices where dice.chance(0.8) {
            if let process = device.processes.first { await sync(process, on: device) }
        }
        isCalm = false
    }
}
