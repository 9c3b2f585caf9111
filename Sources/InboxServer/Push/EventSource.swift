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
    /// - Parameter lease: The lease that limits the stream's duration.
    /// - Throws: ``Problem`` 400 for invalid parameters.
    func stream(for request: Request, from person: Person, lease: StreamLease) throws -> EventStream {
        EventStream(
            person: person,
            lease: lease,
            options: try EventSourceOptions(request),
            lastEventID: request.header("last-event-id"),
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
