import Foundation
import Groundwork
import InboxClient
import JMAP

/// A simulated world: a server or several, their sender and the devices of one person. A seed determines all events.
///
/// Events run one at a time and are awaited, so a seed always produces the same world. Events during a request run
/// inside that request.
actor World {
    static let person = "ana"

    let seed: UInt64
    let folder: URL
    let time = WorldTime()
    let core: CoreCapability
    /// The moments, one of which is fatal. Nil if no process dies at a moment.
    let killPoints: KillPoints?
    var dice: Dice
    /// The server, or several that share its file.
    var servers: [SimulatedServer]
    #if PostgreSQL
        /// What several servers share beside the file.
        let several: SeveralServers?
    #endif
    let serverRandom: RandomSource
    var devices: [SimulatedDevice] = []
    /// The devices before their sign-outs. Their requests may still arrive.
    var signedOutDevices: [SimulatedDevice] = []
    var ledger = Ledger()
    var events = EventLedger()
    var sent: [String: SentMessage] = [:]
    /// The titles that the app's backend has set, by surface.
    var titles: [String: String] = [:]
    /// The delayed requests with their devices.
    var delayed: [(request: TransportRequest, device: String)] = []
    /// The last action and its message.
    var last: (id: String, action: Action)?
    /// Whether failures are disabled, as at the beginning and at the end.
    var isFaultFree = true
    /// The rate of failures, from 0 to 1.
    let faultRate: Double
    /// The number of nested requests in flight.
    var depth = 0
    private(set) var log: [String] = []
    private(set) var failure: String?

    /// The number of events before the end, not counting nested ones.
    static let steps = 32

    /// - Parameter serverCount: The number of servers that share the database.
    init(seed: UInt64, folder: URL, template: URL, killPoints: KillPoints?, serverCount: Int) async throws {
        self.seed = seed
        self.folder = folder
        self.killPoints = killPoints
        var dice = Dice(seed)
        var core = CoreCapability()
        core.maxConcurrentRequests = 100
        if dice.chance(0.6) { core.maxObjectsInGet = dice.int(2...8) }
        if dice.chance(0.6) { core.maxObjectsInSet = dice.int(1...4) }
        self.core = core
        faultRate = dice.pick([0.15: 3, 0.5: 4, 1: 3])
        serverRandom = dice.source()
        let file = folder.appendingPathComponent("server.sqlite")
        try FileManager.default.copyItem(at: template, to: file)
        #if PostgreSQL
            several = serverCount > 1 ? SeveralServers(seed: seed) : nil
        #endif
        servers = []
        self.dice = dice
        for _ in 0..<serverCount { servers.append(try await newServer()) }
    }

    /// Runs random events, then settles the world and checks that all devices agree.
    ///
    /// - Returns: The first problem, or nil.
    func run() async throws -> String? {
        try await begin()
        for _ in 0..<Self.steps where failure == nil {
            time.advance(by: 1)
            #if PostgreSQL
                if let several { await runServerEvent(several) }
            #endif
            await runRandomEvent()
            try await checkDevices()
        }
        if failure == nil { try await settle() }
        return try await close()
    }

    /// Closes all files.
    ///
    /// - Returns: The first problem, or nil.
    func close() async throws -> String? {
        for device in devices {
            for process in device.processes { await process.inbox.close() }
        }
        for place in servers.indices where isRunning(place) { try await servers[place].close() }
        return failure
    }

    func note(_ line: @autoclosure () -> String) {
        log.append(
            "\(Int(time.now.timeIntervalSince1970) - 1_777_593_600)\(String(repeating: "  ", count: depth + 1))\(line())"
        )
    }

    /// Records the first problem. The world ends at its next step.
    func expect(_ isTrue: Bool, _ problem: @autoclosure () -> String) {
        guard !isTrue, failure == nil else { return }
        failure = problem()
        note("WRONG: \(problem())")
    }

    /// Records the failure of an operation that must succeed.
    func recordFailure(of operation: String, _ error: any Error) {
        expect(false, "\(operation) failed: \(error)")
    }

    /// Opens the devices, sends a few messages and syncs most of the devices.
    private func begin() async throws {
        let names = ["phone", "tablet", "laptop"].prefix(dice.int(2...3))
        // Device limits of different sizes, or none.
        let isLimited = dice.chance(0.6)
        for name in names {
            let limit = isLimited && dice.chance(0.8) ? dice.int(1...4) : nil
            let device = SimulatedDevice(
                name: name,
                folder: folder.appendingPathComponent(name),
                limit: limit,
                // A new device fetches fewer, more or as many messages.
                firstLimit: isLimited && dice.chance(0.5) ? dice.int(1...5) : limit
            )
            devices.append(device)
            await open(device)
        }
        // Two processes on one store, like an app and its extension.
        if dice.chance(0.3), let device = dice.pick(devices) { await open(device) }
        #if PostgreSQL
            if let several { try await endSome(several) }
        #endif
        for _ in 0..<dice.int(1...4) { await send() }
        for device in devices where dice.chance(0.8) {
            if let process = device.processes.first { await sync(process, on: device) }
        }
        isFaultFree = false
    }
}
