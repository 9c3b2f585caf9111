import Foundation
import Groundwork
import Hummingbird
import InboxModel
import JMAP
import ServiceLifecycle

/// Tells devices of new states as they come (RFC 8620 §7.3).
struct EventSource: Sendable {
    let people: People
    let watchers: Watchers
    let clock: any WallClock

    /// Opens a stream.
    ///
    /// - Throws: ``Problem`` for parameters that are wrong.
    func respond(to request: Request, from person: Person) async throws -> Response {
        let options = try EventSourceOptions(request)
        let lastEventID = request.header("last-event-id")
        let body = ResponseBody { writer in
            // The stream ends when the socket closes, not when the next event can't be written.
            try await request.body.consumeWithCancellationOnInboundClose { _ in
                try await stream(to: &writer, for: person, options: options, lastEventID: lastEventID)
            }
            try await writer.finish(nil)
        }
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: body
        )
    }

    @concurrent
    private func stream(
        to writer: inout any ResponseBodyWriter,
        for person: Person,
        options: EventSourceOptions,
        lastEventID: String?
    ) async throws {
        let wakeUp = WakeUp()
        let pings = options.pingInterval.map { Pings(interval: $0, clock: clock, wakeUp: wakeUp) }
        defer { pings?.stop() }
        // What the client has is settled before anybody listens, and looked at again after: what is committed from here on is told.
        var sent = lastEventID
        if sent == nil { sent = try await people.latestState(of: person).text }
        let number = watchers.add(wakeUp, for: person.id)
        defer { watchers.remove(number, of: person.id) }

        // A comment, so that the client sees that it is connected.
        try await writer.write(ByteBuffer(string: ":\n\n"))
        wakeUp.signal()
        for await _ in wakeUp.signals.cancelOnGracefulShutdown() {
            let state = try await people.latestState(of: person).text
            if options.includesMessages, state != sent {
                sent = state
                try await writer.write(ByteBuffer(bytes: Self.event(state: state, account: person.account).bytes))
                if options.closesAfterState { return }
                pings?.restart()
            } else if let ping = pings?.takeDue() {
                try await writer.write(ByteBuffer(bytes: ping.bytes))
            }
        }
    }

    private static func event(state: String, account: String) -> EventStreamEvent {
        let change = StateChange(changed: [account: [MessageCapability.messageType: state]])
        return EventStreamEvent(name: "state", data: change.json.description, id: state)
    }
}
