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

    /// What a request asks for.
    ///
    /// - Parameter lease: For how long it may go on.
    /// - Throws: ``Problem`` for parameters that are wrong.
    func stream(for request: Request, from person: Person, lease: StreamLease) throws -> EventStream {
        EventStream(
            person: person,
            lease: lease,
            options: try EventSourceOptions(request),
            lastEventID: request.header("last-event-id"),
            source: self
        )
    }

    /// Opens a stream.
    ///
    /// - Parameter channel: What the request came on. The stream ends when its client closes it, not when the next
    ///   event can't be written.
    @inline(never)
    func response(of stream: EventStream, on channel: any Channel) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                ConnectionGuard.onHangUp(of: channel, isStream: true) { _ in stream.end() }
                defer { ConnectionGuard.forgetHangUp(of: channel) }
                try await stream.run(to: &writer)
                try await writer.finish(nil)
            }
        )
    }
}
