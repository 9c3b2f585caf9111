import Foundation
import Groundwork
import InboxModel
import RawSockets
import Testing

/// Thousands of open event streams on one server.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ShutdownTests {
    /// The number of streams: 5,000, or fewer if this process can't have that many files open.
    private static let streams = min(5_000, allowedFiles() - 500)

    #if DEBUG
        /// Without optimization, NIO copies its list of connections for each one that ends. `make bench` compares the
        /// optimized build with 2 s.
        private static let limit = Duration.seconds(5)
    #else
        private static let limit = Duration.seconds(2)
    #endif

    /// Raises the limit of open files, and returns it.
    private static func allowedFiles() -> Int {
        var limit = rlimit()
        #if canImport(Darwin)
            let files = RLIMIT_NOFILE
        #else
            let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #endif
        getrlimit(files, &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(files, &limit)
        getrlimit(files, &limit)
        return Int(clamping: limit.rlim_cur)
    }

    @Test func `thousands of streams get a push and end in time when the server stops`() async throws {
        try await World.with { world in
            // All streams are one person's.
            try await world.startServer(options: ["--person-streams", "100000", "--person-rate", "none"])
            let port = try #require(URL(string: world.url)?.port)
            let token = try await world.token(for: "alice")
            let request = """
                GET /jmap/eventsource/?types=*&closeafter=no&ping=0 HTTP/1.1\r\nHost: a\r\n\
                Authorization: Bearer \(token)\r\n\r\n
                """
            var sockets: [RawSocket] = []
            for _ in 0..<Self.streams {
                let socket = try RawSocket(port: port)
                try socket.send(request)
                sockets.append(socket)
            }
            try await world.until("all streams are open") { try await world.eventStreams() == sockets.count }

            // A closed connection is removed at once, however it closed.
            for (number, socket) in sockets.suffix(100).enumerated() { socket.close(abruptly: number % 2 == 0) }
            sockets.removeLast(100)
            try await world.until("the closed ones are forgotten", within: 60) {
                try await world.eventStreams() == sockets.count
            }

            // Not sent by another process: `Process.run()` has crashed when this one had thousands of files open.
            let message: JSON = ["to": ["person": "alice"], "message": ["title": "To all of them"]]
            let answer = try await world.request("POST", "/v1/messages", body: message)
            #expect((200...299).contains(answer.status))
            for socket in [sockets.first, sockets.last] {
                #expect(await socket?.read(until: "event: state").text.contains("event: state") == true)
            }

            let start = ContinuousClock.now
            try await world.stopServer()
            let took = ContinuousClock.now - start
            #expect(took < Self.limit, "\(sockets.count) streams took \(took)")
            for socket in [sockets.first, sockets.last] { #expect(await socket?.read().isClosed == true) }
        }
    }
}
