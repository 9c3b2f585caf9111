import Foundation
import Groundwork
import Testing

#if os(Linux)
    /// A disk that is full, fails, doesn't confirm, tears a write, or loses unsynced writes with the power, at one call
    /// of SQLite after the other. After each, the file opens with every acknowledged change.
    ///
    /// A library that is loaded before the C library (`disk-faults.c`) makes calls of the real programs fail.
    @Suite(.serialized, .timeLimit(.minutes(60)))
    struct DiskFaultTests {
        enum Kind: String, CaseIterable, Sendable {
            case full, error, sync, tear, power

            /// Whether the fault kills the process.
            var isDeadly: Bool { self == .tear || self == .power }
        }

        private static let isLong = ProcessInfo.processInfo.environment["SWIFT_INBOX_LONG_TESTS"] != nil
        /// The number of rounds per kind. One call fails in each round.
        private static let rounds = isLong ? 40 : 4

        /// Builds the library into a world's folder, and returns its path.
        private func library(_ world: World) throws -> String {
            let source = try #require(
                Bundle.module.url(forResource: "disk-faults", withExtension: "c", subdirectory: "Resources")
            )
            let library = world.folder.appendingPathComponent("disk-faults.so").path
            let compiler = Process()
            compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            compiler.arguments = ["clang", "-shared", "-fPIC", "-O1", "-o", library, source.path, "-ldl"]
            try compiler.run()
            compiler.waitUntilExit()
            #expect(compiler.terminationStatus == 0)
            return library
        }

        private func environment(
            _ world: World,
            _ library: String,
            file: String,
            _ kind: Kind,
            after calls: Int,
            count: Int = 1,
            seed: Int
        ) -> [String: String] {
            [
                "LD_PRELOAD": library, "DISK_FAULT_FILE": file, "DISK_FAULT_KIND": kind.rawValue,
                "DISK_FAULT_AFTER": "\(calls)", "DISK_FAULT_COUNT": "\(count)", "DISK_FAULT_SEED": "\(seed)",
                "DISK_FAULT_LOG": world.folder.appendingPathComponent("faults").path,
            ]
        }

        private func faults(_ world: World) -> Int {
            let text = try? String(contentsOf: world.folder.appendingPathComponent("faults"), encoding: .utf8)
            return text?.split(separator: "\n").count ?? 0
        }

        @Test(arguments: Kind.allCases)
        func `a faulty disk loses no message that the server acknowledged`(_ kind: Kind) async throws {
            try await World.with { world in
                let library = try library(world)
                let armed = world.folder.appendingPathComponent("armed")
                var acknowledged: [String: String] = [:]
                for round in 0..<Self.rounds {
                    var environment = environment(
                        world,
                        library,
                        file: "server.sqlite",
                        kind,
                        after: Self.start(of: kind, in: round),
                        count: kind.isDeadly ? 1 : 12,
                        seed: round
                    )
                    let sends = kind == .power ? 400 : 40
                    environment["DISK_FAULT_ARMED"] = armed.path
                    let before = faults(world)
                    try await world.startServer(environment: environment)
                    try Data().write(to: armed)
                    // Four senders, each of which repeats a failed send with its key until the server is gone.
                    try await withThrowingTaskGroup(of: [String: String].self) { group in
                        for sender in 0..<4 {
                            group.addTask {
                                var answered: [String: String] = [:]
                                for number in 0..<sends {
                                    let key = "\(round)-\(sender)-\(number)"
                                    for _ in 0..<50 {
                                        switch await send(world, key) {
                                        case .sent(let id): answered[key] = id
                                        case .refused: try await Task.sleep(for: .milliseconds(20))
                                        case .gone: return answered
                                        }
                                        if answered[key] != nil { break }
                                    }
                                }
                                return answered
                            }
                        }
                        for try await answered in group { acknowledged.merge(answered) { $1 } }
                    }
                    #expect(faults(world) > before, "\(kind), round \(round): the disk failed")
                    if kind.isDeadly {
                        #expect(try await world.waitForServerExit() == -SIGKILL)
                    } else {
                        // The server recovers by itself.
                        let key = "after-\(round)"
                        guard case .sent(let id) = await send(world, key) else {
                            Issue.record("\(kind), round \(round): it doesn't go on")
                            return
                        }
                        acknowledged[key] = id
                        try await world.killServer()
                    }
                    try FileManager.default.removeItem(at: armed)

                    try await world.startServer()
                    let device = try await JMAPDevice(world, person: "alice")
                    let titles: [String] = try await device.messages().compactMap { $0["title"]?.stringValue }
                    let storedTitles = Set(titles)
                    #expect(titles.count == storedTitles.count, "nothing is there twice")
                    let lost = Set(acknowledged.keys).subtracting(storedTitles)
                    #expect(lost.isEmpty, "\(kind), round \(round)")
                    try await world.killServer()
                    try await expectHealthy(world, "server.sqlite")
                }
                #expect(acknowledged.count > Self.rounds)
            }
        }

        /// The number of calls to the disk before the faults.
        private static func start(of kind: Kind, in round: Int) -> Int {
            switch kind {
            // Late enough that the log is checkpointed into the file before.
            case .power: 30 + 571 * round % 2_000
            // The sends of four senders are made durable together, by as few as 40 calls.
            case .sync: 3 + 7 * round % 36
            default: 30 + 17 * round + round % 5
            }
        }

        private func expectHealthy(_ world: World, _ database: String) async throws {
            let checkup = try await world.run(["doctor", "--database", database, "--json"])
            #expect(try JSON(parsing: checkup.output.utf8)["healthy"] == true, "\(database)")
        }

        private enum Outcome { case sent(String), refused, gone }

        private func send(_ world: World, _ key: String) async -> Outcome {
            guard
                let answer = try? await world.request(
                    "POST",
                    "/v1/messages",
                    body: ["to": ["person": "alice"], "message": ["title": .string(key)]],
                    headers: ["Idempotency-Key": key]
                )
            else { return .gone }
            #expect([201, 500, 503, 507].contains(answer.status), "\(answer.status)")
            let id = (try? JSON(parsing: answer.bytes))?["id"]?.stringValue
            return answer.status == 201 ? id.map { .sent($0) } ?? .refused : .refused
        }

        @Test(arguments: Kind.allCases)
        func `a faulty disk loses no change that the device stored`(_ kind: Kind) async throws {
            try await World.with { world in
                let library = try library(world)
                try await world.startServer()
                let (phone, laptop) = (try await world.device("phone"), try await world.device("laptop"))
                var ids: [String] = []
                // In a short run, the first eight calls fail, and the power at twelve places.
                let count = Self.rounds * (Self.isLong || kind == .power ? 3 : 2)
                for number in 0..<count { ids.append(try await world.send("Number \(number)")) }
                _ = try await phone.list()
                var stored: [String] = []
                for (number, id) in ids.enumerated() {
                    // With the power, at each call from its start to its end, and a little further.
                    let calls = kind == .power ? (5 * number + number / 12) % 60 : number
                    let environment = environment(world, library, file: "phone/", kind, after: calls, seed: number)
                    let process = try world.start(
                        ["read", id, "--offline", "--directory", "phone"],
                        environment: environment
                    )
                    let status = try await process.end()
                    #expect(status == 0 || !process.errors.isEmpty || kind.isDeadly, "\(kind) \(number): it says so")
                    // When the power fails at the end of the process, its output was written before.
                    if status == 0 || process.output.hasPrefix("1 read.") { stored.append(id) }
                    let list = try await phone.list("--offline")
                    #expect(ids.allSatisfy(list.has), "\(kind) \(number)")
                    #expect(stored.allSatisfy(list.isRead), "\(kind) \(number): what was stored is there")
                }
                #expect(faults(world) > 1, "the disk failed")
                _ = try await phone.list()
                let laptopList = try await laptop.list()
                #expect(stored.allSatisfy(laptopList.isRead))
                guard kind == .power else { return }
                #expect(!stored.isEmpty)
                try expectUndamaged(world, "phone")
            }
        }

        /// Expects no damaged store. A damaged store is replaced, and its file is kept next to the new one.
        private func expectUndamaged(_ world: World, _ device: String) throws {
            let files = try FileManager.default.contentsOfDirectory(
                atPath: world.folder.appendingPathComponent(device).path
            )
            #expect(!files.contains { $0.contains("damaged") }, "\(device)")
        }

        @Test func `a server that loses power at its first start starts the next time`() async throws {
            try await World.with { world in
                let library = try library(world)
                for round in 0..<Self.rounds {
                    let database = "first-\(round).sqlite"
                    let environment = environment(
                        world,
                        library,
                        file: database,
                        .power,
                        after: 4 + 41 * round % 296,
                        seed: round + 2
                    )
                    await #expect(throws: RunningProcess.Ended.self, "round \(round): before it is ready") {
                        try await world.startServer(database: database, environment: environment)
                    }
                    #expect(faults(world) == round + 1)
                    try await world.startServer(database: database)
                    _ = try await world.send("Number \(round)")
                    try await world.killServer()
                    try await expectHealthy(world, database)
                }
            }
        }

        @Test func `a device that loses power at its first login is whole the next time`() async throws {
            try await World.with { world in
                let library = try library(world)
                try await world.startServer()
                let id = try await world.send("There already")
                for round in 0..<Self.rounds {
                    let name = "phone-\(round)"
                    let login = try world.start(
                        ["login", "--person", "alice", "--directory", name],
                        environment: environment(
                            world,
                            library,
                            file: "\(name)/",
                            .power,
                            after: 4 + 101 * round % 400,
                            seed: round
                        )
                    )
                    #expect(try await login.end() == -SIGKILL)
                    let phone = try await world.device(name)
                    #expect(try await phone.list().has(id), "round \(round)")
                    try expectUndamaged(world, name)
                }
            }
        }

        @Test func `a restore that loses power leaves one of the two databases whole`() async throws {
            try await World.with { world in
                let library = try library(world)
                try await world.startServer()
                let kept = try await world.send("Kept")
                try await world.run(["backup", "backup.sqlite", "--database", "server.sqlite"])
                var late = try await world.send("Since the backup")
                var outcomes: Set<Bool> = []
                for round in 0..<Self.rounds {
                    // With a log that has to be checkpointed, and without.
                    if round % 2 == 0 { try await world.stopServer() } else { try await world.killServer() }
                    let restore = try world.start(
                        ["restore", "backup.sqlite", "--database", "server.sqlite", "--force"],
                        environment: environment(
                            world,
                            library,
                            file: "server.sqlite",
                            .power,
                            // The copy is whole after about 80 calls; most later ones concern the old file.
                            after: 80 + (10 + 9 * round) % 32,
                            seed: round
                        )
                    )
                    #expect(try await restore.end() == -SIGKILL)
                    try await world.startServer()
                    #expect(try await world.request("GET", "/v1/messages/\(kept)").status == 200)
                    let isRestored = try await world.request("GET", "/v1/messages/\(late)").status == 404
                    #expect(isRestored || restore.output.isEmpty, "round \(round)")
                    outcomes.insert(isRestored)
                    if isRestored { late = try await world.send("Since the backup, again") }
                }
                #expect(outcomes == [true, false])
                try await world.killServer()
                try await expectHealthy(world, "server.sqlite")
            }
        }
    }
#endif
