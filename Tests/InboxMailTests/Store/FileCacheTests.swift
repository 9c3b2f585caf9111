import Eventually
import Foundation
import Groundwork
import InboxTesting
import JMAP
import Replica
import Testing

@testable import InboxMail

/// Downloads that are interrupted, cancelled and shared.
@Suite(.timeLimit(.minutes(10))) struct FileCacheTests {
    private let bytes = Array("0123456789".utf8)

    /// A device's file cache, and a server whose downloads are answered by a closure. The closure receives the start of
    /// the requested range, or nil for the whole file.
    private final class Setting: Sendable {
        let cache: FileCache
        private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("files-\(UUID())")
        // Guarded by the lock: the transport records each requested start.
        private let requestedStarts = Locked<[Int?]>([])

        init(
            budget: Int = 1_000,
            _ answer: @escaping @Sendable (_ number: Int, _ start: Int?) async throws -> TransportStream
        ) throws {
            let session = Session(
                capabilities: JSONObject(),
                accounts: [:],
                primaryAccounts: [:],
                username: "ann",
                apiURL: "/jmap",
                downloadURL: "/download/{accountId}/{blobId}/{name}?type={type}",
                uploadURL: "/upload/{accountId}",
                eventSourceURL: "/events?types={types}&closeafter={closeafter}&ping={ping}",
                state: "1"
            )
            let transport = ScriptedTransport { request in
                TransportResponse(status: 200, headers: [:], body: session.json.utf8, url: request.url)
            }
            transport.answerStreams { [requestedStarts] (request: TransportRequest) async throws -> TransportStream in
                let start = request.headers["Range"].flatMap { Int($0.dropFirst("bytes=".count).dropLast()) }
                let number = requestedStarts.withLock { requestedStarts in
                    requestedStarts.append(start)
                    return requestedStarts.count
                }
                return try await answer(number, start)
            }
            let clock = ManualClock()
            let connection = ServerConnection(
                server: try #require(URL(string: "https://mail.example")),
                person: "ann",
                token: { "token" },
                transport: transport,
                clock: clock
            )
            cache = FileCache(folder: folder, budget: budget, connection: connection, clock: clock) { "a" }
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        /// The requested start of each download, or nil for the whole file.
        var starts: [Int?] { requestedStarts.withLock { $0 } }

        /// Returns the names of the incomplete files.
        func parts() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".part") }
        }
    }

    private func file(_ blob: String = "B") throws -> MailFile {
        try #require(MailFile(["blobId": .string(blob), "type": "text/plain", "size": 10, "name": "a.txt"]))
    }

    /// Returns a response of several pieces, which is interrupted at its end if `isCut`.
    private static func answer(
        _ status: Int,
        _ pieces: [ArraySlice<UInt8>],
        from start: Int = 0,
        isCut: Bool = false
    ) -> TransportStream {
        let body = AsyncThrowingStream<[UInt8], any Error> { body in
            for piece in pieces { body.yield(Array(piece)) }
            body.finish(throwing: isCut ? TransportError.unreachable("cut") : nil)
        }
        let headers = status == 206 ? ["content-range": "bytes \(start)-9/10"] : [:]
        return TransportStream(status: status, headers: headers, body: body)
    }

    @Test func `an interrupted download resumes where it ended`() async throws {
        let setting = try Setting { [bytes] number, start in
            if number == 1 { return Self.answer(200, [bytes[..<4], bytes[4..<6]], isCut: true) }
            return Self.answer(206, [bytes[(start ?? 0)...]], from: start ?? 0)
        }
        let file = try file()
        await #expect(throws: TransportError.self) { try await setting.cache.file(file, nil) }
        #expect(setting.cache.stored(file) == nil)
        let steps = Locked<[Int]>([])
        let place = try await setting.cache.file(file) { progress in steps.withLock { $0.append(progress.received) } }
        #expect(try Array(Data(contentsOf: place)) == bytes)
        #expect(setting.starts == [nil, 6])
        #expect(steps.withLock { $0 } == [6, 10], "the progress resumes, too")
        #expect(try setting.parts().isEmpty)
    }

    @Test(arguments: [200, 416])
    func `a server that can't resume sends the whole file again`(_ status: Int) async throws {
        let setting = try Setting { [bytes] number, start in
            if number == 1 { return Self.answer(200, [bytes[..<6]], isCut: true) }
            if start != nil, status == 416 { return Self.answer(416, []) }
            return Self.answer(200, [bytes[...]])
        }
        let file = try file()
        await #expect(throws: TransportError.self) { try await setting.cache.file(file, nil) }
        #expect(try Array(Data(contentsOf: try await setting.cache.file(file, nil))) == bytes)
        #expect(setting.starts == (status == 416 ? [nil, 6, nil] : [nil, 6]))
    }

    @Test func `a response with another range than requested is an error and loses nothing`() async throws {
        let setting = try Setting { [bytes] number, start in
            if number == 1 { return Self.answer(200, [bytes[..<6]], isCut: true) }
            return Self.answer(206, [bytes[5...]], from: number == 2 ? 5 : start ?? 0)
        }
        let file = try file()
        await #expect(throws: TransportError.self) { try await setting.cache.file(file, nil) }
        await #expect(throws: SyncError.self) { try await setting.cache.file(file, nil) }
        #expect(try setting.parts().count == 1)
    }

    @Test(arguments: [0, 5, 15])
    func `the announced size of a download wins over the mail's`(_ size: Int) async throws {
        let setting = try Setting { _, _ in
            var answer = Self.answer(200, [ArraySlice([UInt8](repeating: 48, count: size))])
            answer.headers["content-length"] = "\(size)"
            return answer
        }
        let file = try file()
        let last = Locked<Mail.FileProgress?>(nil)
        let place = try await setting.cache.file(file) { progress in last.withLock { $0 = progress } }
        #expect(try Data(contentsOf: place).count == size && setting.cache.stored(file) == place)
        #expect(last.withLock { $0 } == Mail.FileProgress(received: size, total: size))
        #expect(try await setting.cache.file(file, nil) == place && setting.starts == [nil], "once is enough")
    }

    @Test(arguments: [(5, "10", ""), (15, "10", ""), (10, "11", "identity"), (5, "5", "gzip")])
    func `a download of another size than announced is an error`(size: Int, announced: String, encoding: String)
        async throws
    {
        let setting = try Setting { _, _ in
            var answer = Self.answer(200, [ArraySlice([UInt8](repeating: 48, count: size))])
            answer.headers = ["content-length": announced, "content-encoding": encoding]
            return answer
        }
        let file = try file()
        await #expect(throws: SyncError.self) { try await setting.cache.file(file, nil) }
        #expect(setting.cache.stored(file) == nil)
    }

    @Test(arguments: ["9223372036854775807", "-9223372036854775808"])
    func `a continued download whose announced size no file has is an error`(announced: String) async throws {
        let setting = try Setting { [bytes] number, start in
            if number == 1 { return Self.answer(200, [bytes[..<6]], isCut: true) }
            var answer = Self.answer(206, [bytes[(start ?? 0)...]], from: start ?? 0)
            answer.headers["content-length"] = announced
            return answer
        }
        let file = try file()
        await #expect(throws: TransportError.self) { try await setting.cache.file(file, nil) }
        await #expect(throws: SyncError.self) { try await setting.cache.file(file, nil) }
    }

    @Test(arguments: [5, 15])
    func `a download of another size than the mail's, unannounced, is an error`(_ size: Int) async throws {
        let setting = try Setting { _, _ in
            Self.answer(200, [ArraySlice([UInt8](repeating: 48, count: size))])
        }
        let file = try file()
        await #expect(throws: SyncError.self) { try await setting.cache.file(file, nil) }
        #expect(setting.cache.stored(file) == nil)
    }

    @Test func `a cancelled download ends for its caller, and other callers receive the file`() async throws {
        let (body, pieces) = AsyncThrowingStream.makeStream(of: [UInt8].self, throwing: (any Error).self)
        let setting = try Setting { _, _ in TransportStream(status: 200, body: body) }
        let file = try file()
        let started = Locked(0)
        let report: @Sendable (Mail.FileProgress) -> Void = { _ in started.withLock { $0 += 1 } }
        let first = Task { try await setting.cache.file(file, report) }
        #expect(try await eventually { started.withLock { $0 } > 0 })
        let second = Task { try await setting.cache.file(file, nil) }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        pieces.yield(bytes)
        pieces.finish()
        #expect(try Array(Data(contentsOf: try await second.value)) == bytes)
        #expect(setting.starts == [nil], "one download for both")
    }

    @Test func `a download cancelled by all callers ends, and the next one resumes it`() async throws {
        let isEnded = Locked(false)
        let setting = try Setting { [bytes] number, start in
            if number > 1 { return Self.answer(206, [bytes[(start ?? 0)...]], from: start ?? 0) }
            let (body, pieces) = AsyncThrowingStream.makeStream(of: [UInt8].self, throwing: (any Error).self)
            pieces.onTermination = { _ in isEnded.withLock { $0 = true } }
            pieces.yield(Array(bytes[..<3]))
            return TransportStream(status: 200, body: body)
        }
        let file = try file()
        let received = Locked(0)
        let only = Task {
            try await setting.cache.file(file) { progress in received.withLock { $0 = progress.received } }
        }
        #expect(try await eventually { received.withLock { $0 } == 3 })
        only.cancel()
        await #expect(throws: CancellationError.self) { try await only.value }
        // The second request may begin before the first one has ended.
        #expect(try Array(Data(contentsOf: try await setting.cache.file(file, nil))) == bytes)
        #expect(isEnded.withLock { $0 } && setting.starts == [nil, 3])
    }

    @Test func `an interrupted download counts in the budget`() async throws {
        let setting = try Setting(budget: 12) { [bytes] number, _ in
            number == 1 ? Self.answer(200, [bytes[..<6]], isCut: true) : Self.answer(200, [bytes[...]])
        }
        let (interrupted, complete) = (try file("A"), try file("B"))
        await #expect(throws: TransportError.self) { try await setting.cache.file(interrupted, nil) }
        #expect(try setting.parts().count == 1)
        _ = try await setting.cache.file(complete, nil)
        #expect(try setting.parts().isEmpty && setting.cache.stored(complete) != nil)
    }

    @Test func `closing the cache ends downloads and rejects new ones`() async throws {
        let (body, pieces) = AsyncThrowingStream.makeStream(of: [UInt8].self, throwing: (any Error).self)
        let setting = try Setting { _, _ in TransportStream(status: 200, body: body) }
        let file = try file()
        let started = Locked(false)
        let waiting = Task { try await setting.cache.file(file) { _ in started.withLock { $0 = true } } }
        #expect(try await eventually { started.withLock { $0 } })
        await setting.cache.close()
        await #expect(throws: StoreError.self) { try await waiting.value }
        await #expect(throws: StoreError.self) { try await setting.cache.file(file, nil) }
        pieces.finish()
    }
}
