import Groundwork
import InboxModel
import InboxService
import JMAP
import NIOCore

/// The states that one stream has sent, and those to send next. A state machine without I/O.
struct StreamStateTracker: Sendable {
    private let account: String
    private let options: EventSourceOptions
    private var sentState: String
    private var sentSurface: Int

    /// - Parameters:
    ///   - lastEventID: The last event that a reconnecting client has received. It receives the changes since then.
    ///   - state: The state that a newly connecting client is assumed to have.
    ///   - surface: The state of the surfaces that a newly connecting client is assumed to have.
    init(account: String, options: EventSourceOptions, lastEventID: String?, state: PersonState, surface: Int) {
        self.account = account
        self.options = options
        sentState = lastEventID ?? state.text
        // The settings of a reconnecting client are unknown, so it receives their state again.
        sentSurface = lastEventID == nil ? surface : 0
    }

    /// Returns the encoded event for these states, or nil if the client has them.
    mutating func next(state: PersonState, surface: Int) -> ByteBuffer? {
        let text = state.text
        var changed: [(type: String, state: String)] = []
        if options.includesMessages, text != sentState { changed.append((MessageCapability.messageType, text)) }
        if options.includesSurfaces, surface != sentSurface {
            changed.append((MessageCapability.surfaceType, String(surface)))
        }
        (sentState, sentSurface) = (text, surface)
        guard !changed.isEmpty else { return nil }
        let data = StateChange.text(of: account, changed)
        return ByteBuffer(bytes: EventStreamEvent(name: "state", data: data, id: text).bytes)
    }
}
