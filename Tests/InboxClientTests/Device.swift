import Foundation
import Groundwork
import InboxClient
import InboxTesting

/// A person's device: an inbox with its own folder, a manual clock and a transport that a test can break.
final class Device: Sendable {
    let directory: URL
    let clock: ManualClock
    let transport: ScriptedTransport
    let server: ScriptedServer
    let inbox: Inbox
    private let ownsDirectory: Bool

    /// - Parameters:
    ///   - stream: An event stream that the test controls.
    ///   - hasEvents: Whether the server sends changes on an event stream.
    init(
        _ server: ScriptedServer,
        at url: URL = URL(string: "https://inbox.example")!,
        clock: ManualClock = ManualClock(),
        directory: URL? = nil,
        stream: EventSource? = nil,
        hasEvents: Bool = false,
        tokens: Tokens = Tokens { "token" },
        configure: (inout InboxConfiguration) -> Void = { _ in }
    ) async throws {
        self.server = server
        self.clock = clock
        ownsDirectory = directory == nil
        self.directory = directory ?? FileManager.default.temporaryDirectory.appendingPathComponent("inbox-\(UUID())")
        transport = server.transport
        if let stream { transport.answerStreams { _ in stream.open() } }
        if hasEvents { transport.answerStreams { _ in server.openEvents() } }
        var configuration = InboxConfiguration()
        configuration.clock = clock
        configuration.transport = transport
        configuration.isLive = false
        // Devices with the same folder work like separate processes.
        configuration.sharesEngine = false
        configure(&configuration)
        inbox = try await Inbox.open(
            server: url,
            person: server.person,
            directory: self.directory,
            configuration: configuration,
            token: tokens.next
        )
    }

    deinit {
        if ownsDirectory { try? FileManager.default.removeItem(at: directory) }
    }

    /// Disconnects the network: requests fail without an answer.
    func disconnect() {
        transport.answer { _ in throw TransportError.unreachable("no network") }
    }

    func reconnect() {
        transport.answer { [server] in server.answer($0) }
    }

    /// Lets the server process a number of requests with writes, and loses their answers.
    func loseResponses(_ count: Int) {
        let left = Locked(count)
        transport.answer { [server] request in
            let answer = server.answer(request)
            let carriesWrites =
                request.body.map { String(decoding: $0, as: UTF8.self).contains("InboxMessage/set") } ?? false
            let isLost = left.withLock { left in
                guard carriesWrites, left > 0 else { return false }
                left -= 1
                return true
            }
            if isLost { throw TransportError.unreachable("the answer is lost") }
            return answer
        }
    }

    func ids(_ filter: MessageFilter = .inbox) async throws -> [String] {
        try await inbox.messages(filter).map(\.id)
    }
}

extension Device {
    /// Returns a device that stores two messages.
    static func storingTwo(
        _ server: ScriptedServer,
        clock: ManualClock = ManualClock(),
        directory: URL? = nil,
        configure: (inout InboxConfiguration) -> Void = { _ in }
    ) async throws -> Device {
        try await Device(server, clock: clock, directory: directory) {
            $0.deviceLimit = .newest(2)
            $0.newDeviceLimit = .newest(2)
            configure(&$0)
        }
    }
}

extension ScriptedServer {
    /// Delivers numbered messages, each a second after the one before: `m0`, `m1` and so on.
    func deliver(_ numbers: Range<Int>, pinned: Int? = nil) {
        for number in numbers { deliver(.at(Double(number), "m\(number)", pinned: number == pinned)) }
    }
}

/// The source of a device's tokens.
struct Tokens: Sendable {
    let next: @Sendable () async throws -> String
}

/// The server's end of an event stream.
final class EventSource: Sendable {
    private struct State {
        var opened = 0
        var stream: AsyncThrowingStream<[UInt8], any Error>.Continuation?
    }

    private let state = Locked(State())
    private let closesAtOnce: Bool

    init(closesAtOnce: Bool = false) {
        self.closesAtOnce = closesAtOnce
    }

    /// The number of times it was opened.
    var opened: Int { state.withLock { $0.opened } }

    func open() -> TransportStream {
        let (body, stream) = AsyncThrowingStream.makeStream(of: [UInt8].self, throwing: (any Error).self)
        state.withLock {
            $0.opened += 1
            $0.stream = stream
        }
        if closesAtOnce { stream.finish() }
        return TransportStream(status: 200, body: body)
    }

    func send(_ text: String) {
        _ = state.withLock { $0.stream }?.yield(Array(text.utf8))
    }

    func send(state: String) {
        let change = #"{"@type":"StateChange","changed":{"account":{"InboxMessage":"\#(state)"}}}"#
        send("event: state\ndata: \(change)\n\n")
    }

    func interrupt() {
        state.withLock { $0.stream }?.finish(throwing: TransportError.unreachable("cut"))
    }
}

extension ManualClock {
    /// The time a number of seconds from now.
    func after(_ seconds: Double) -> Date { now.addingTimeInterval(seconds) }
}

extension Message {
    /// A message delivered a number of seconds before or after the start of the tests' clock.
    static func at(_ seconds: Double, _ id: String, expiresAt: Date? = nil, pinned: Bool = false) -> Message {
        Message(
            id: id,
            title: "Title of \(id)",
            isPinned: pinned,
            deliverAt: ManualClock().now.addingTimeInterval(seconds),
            expiresAt: expiresAt
        )
    }
}
