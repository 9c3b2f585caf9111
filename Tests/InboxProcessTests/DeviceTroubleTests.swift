import Foundation
import GRDB
import Groundwork
import Testing

@testable import inbox

/// The tool when another process or the disk fails.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct DeviceTroubleTests {
    /// One process syncs a device for the others. It may be stopped, or hang.
    @Test func `while the syncing process is stopped, a command stores its change and ends`() async throws {
        try await World.with { world in
            try await world.startServer()
            let (phone, laptop) = (try await world.device("phone"), try await world.device("laptop"))
            let id = try await world.send("Hello")
            let watch = try phone.watch()
            try await watch.until("it is live") { $0.connection == "live" && $0.has(id) }
            #expect(try await phone.list().ids == [id])
            try await phone.stopBetweenWrites(watch.process)

            // Measures how long a command takes on this machine.
            let before = ContinuousClock.now
            try await laptop.run("status")
            let start = ContinuousClock.now
            let read = try world.start(["read", id, "--directory", "phone"])
            #expect(try await read.end() == 0)
            // It waits 3 s for the other process; the rest is for a busy machine.
            let (took, usual): (Duration, Duration) = (ContinuousClock.now - start, start - before)
            let limit = Duration.seconds(9) + usual * 3
            #expect(took < limit)
            #expect(read.output.contains("1 read. Waiting to be sent: another process"), "\(read.output)")
            #expect(try await phone.list("--offline").isRead(id))
            #expect(try await !laptop.list().isRead(id))

            watch.process.signal(SIGCONT)
            try await watch.until("it is read") { $0.isRead(id) && $0.pendingWrites == 0 }
            #expect(try await laptop.list().isRead(id))
        }
    }

    @Test func `a list shows what is stored soon if the server doesn't answer`() async throws {
        try await World.with { world in
            try await world.startServer()
            let phone = try await world.device("phone")
            let id = try await world.send("Hello")
            #expect(try await phone.list().ids == [id])
            world.signalServer(SIGSTOP)
            defer { world.signalServer(SIGCONT) }
            let start = ContinuousClock.now
            let list = try await phone.run("list")
            // It waits 15 s; the rest is for a busy machine. A wait for any other answer is 30 s.
            #expect(ContinuousClock.now - start < .seconds(30))
            #expect(list.output.contains("Hello"), "\(list.output)")
            #expect(list.errors.contains("doesn't answer in time. What is stored is shown."), "\(list.errors)")
        }
    }

    /// A process can be stopped in the middle of a write too. Then no other process can write.
    @Test func `a command names a process that is in the middle of a write, and changes nothing`()
        async throws
    {
        try await World.with { world in
            try await world.startServer()
            let phone = try await world.device("phone")
            let id = try await world.send("Hello")
            #expect(try await phone.list().ids == [id])
            var configuration = Configuration()
            configuration.allowsUnsafeTransactions = true
            let writer = try DatabaseQueue(path: phone.storeFile().path, configuration: configuration)
            try await writer.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }

            let read = try world.start(["read", id, "--directory", "phone"])
            let list = try world.start(["list", "--directory", "phone"])
            #expect(try await read.end() == 1)
            #expect(
                read.errors.hasPrefix("inbox: Another process is writing to this store and hasn't finished in time.")
            )
            #expect(try await list.end() == 0, "\(list.errors)")
            #expect(list.errors.contains("Not up to date: another process is writing"), "\(list.errors)")
            #expect(list.output.contains("Hello"))

            try await writer.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
            #expect(try await !phone.list().isRead(id))
            try await phone.run("read", id)
            #expect(try await phone.list().isRead(id))
        }
    }

    @Test func `output that can't be written is an error`() async throws {
        try await World.with { world in
            try await world.startServer()
            _ = try await world.device("phone")
            _ = try await world.send("Hello")
            let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
            for command in [["list"], ["list", "--json"], ["status"]] {
                let process = try world.start(command + ["--directory", "phone"], output: full)
                #expect(try await process.end() == 1, "\(command)")
                #expect(process.errors.contains("The output can't be written: No space left on device."))
            }
        }
    }

    @Test func `an invalid person is rejected before anything is prompted for`() async throws {
        try await World.with { world in
            let long = String(repeating: "x", count: 257)
            for person in ["", long] {
                let login = try await world.run(["login", "--person", person], status: 64)
                #expect(login.errors.contains("1 to 256 bytes"))
            }
        }
    }

    @Test func `a list fits its terminal`() async throws {
        try await World.with { world in
            try await world.startServer()
            let phone = try await world.device("phone")
            _ = try await world.send(
                "👨‍👩‍👧‍👦 and a title that is longer than any narrow terminal has room for, whatever it shows besides"
            )
            _ = try await world.send("東京からの荷物が通関しました、明日の午前中に届く予定です")
            _ = try await phone.list()
            for columns in [20, 27, 34, 50, 71, 120] {
                let width = ["COLUMNS": "\(columns)"]
                let list = try world.start(["list", "--compact", "--directory", "phone"], environment: width)
                #expect(try await list.end() == 0, "\(columns)")
                #expect(list.lines.count >= 3, "\(columns)")
                for line in list.lines { #expect(line.columns <= columns, "\(columns): \(line)") }
                #expect(columns < 50 || list.output.contains("👨‍👩‍👧‍👦"), "\(columns)")
            }
        }
    }

    @Test func `a damaged file is repaired and reported once, with what was kept`() async throws {
        try await World.with { world in
            try await world.startServer()
            let (phone, laptop) = (try await world.device("phone"), try await world.device("laptop"))
            let ids = [try await world.send("One"), try await world.send("Two")]
            _ = try await phone.list()
            try await phone.run("read", ids[0], "--offline")
            let folder = world.folder.appendingPathComponent("phone")
            let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
            let store = try #require(files.compactMap { $0 as? URL }.first { $0.pathExtension == "sqlite" })
            // The file's header is overwritten.
            let handle = try FileHandle(forUpdating: store)
            try handle.write(contentsOf: Data(repeating: 0x55, count: 100))
            try handle.close()

            let repaired = try await phone.run("list")
            #expect(repaired.errors.contains("damaged"), "\(repaired.errors)")
            #expect(repaired.errors.contains("The damaged file is"))
            #expect(repaired.output.contains("One") && repaired.output.contains("Two"))
            #expect(try await phone.run("list").errors.isEmpty, "once")
            // The change was either saved or reported as lost.
            let isKept = try await laptop.list().isRead(ids[0])
            #expect(isKept || repaired.errors.contains("lost"), "\(repaired.errors)")
        }
    }
}
