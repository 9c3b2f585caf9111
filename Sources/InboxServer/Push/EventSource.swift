import Foundation
import Groundwork
import Hummingbird
import InboxModel
import InboxService
import JMAP
import NIOCore

/// Notifies devices of new states (RFC 8620, section 7.3).
struct EventSource: Sendable {
    let people: People
    let watchers: Watchers
    let pings: PingSchedule

    /// Returns the stream that a request opens.
    ///
    /// It sends each state that is committed after this call: the client has the head of the answer before the stream
    /// begins, and its fetches by then may be older.
    ///
    /// - Parameter lease: The lease that limits the stream's duration.
    /// - Throws: ``Problem`` 400 for invalid parameters; the database's error if the person's state can't be read.
    func stream(for request: Request, from person: Person, lease: StreamLease) async throws -> EventStream {
        let options = try EventSourceOptions(request)
        let surface = people.surfaceState
        // Read from the database: a client that was connected to another server may have a later state than this server
        // has received.
        let state = try await inTemporaryTask { [people] in try await people.latestState(of: person) }
        return EventStream(
            person: person,
            lease: lease,
            tracker: StreamStateTracker(
                account: person.account,
                options: options,
                lastEventID: request.header("last-event-id"),
                state: state,
                surface: surface
            ),
            options: options,
            source: self
        )
    }

    /// Returns the response that runs a stream.
    ///
    /// - Parameter channel: The request's connection. The stream ends as soon as the client closes it, rather than when
    ///   the next event can't be written.
    func response(of stream: EventStream, on channel: any Channel) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                ConnectionGuard.onDisconnect(of: channel, isStream: true) { _ in stream.end() }
                defer { ConnectionGuard.removeDisconnectHandler(of: channel) }
                try await stream.run(to: &writer)
                try await writer.finish(nil)
            }
        )
    }
}
