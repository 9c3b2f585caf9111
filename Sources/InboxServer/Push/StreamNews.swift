import Groundwork
import InboxModel
import InboxService
import JMAP
import NIOCore

/// The states that one stream has sent, and those to send next. A state machine without I/O.
struct StreamNews: Sendable {
    private let account: String
    private let options: EventSourceOptions
    private var sentState: String
    private var sentSurface: Int

    /// - Parameters:
    ///   - lastEventID: What a client that comes back has heard last. It hears of what is different by now.
    ///   - state: What a client that comes for the first time is taken to know.
    ///   - surface: The same.
    init(account: String, options: EventSourceOptions, lastEventID: String?, state: PersonState, surface: Int) {
        self.account = account
        self.options = options
        sentState = lastEventID ?? state.text
        // It isn't known which settings a reconnecting client has, so it receives their state again.
        sentSurface = lastEventID == nil ? surface : 0
    }

    /// Returns the encoded event for these states. Nil if the client has them.
    ///
    /// Not inlined: a stream's task keeps the memory of its frame for hours.
    @inline(never)
    mutating func next(state: PersonState, surface: Int) -> ByteBuffer? {
        let text = state.text
        var changed: [String: String] = [:]
        if options.includesMessages, text != sentState { changed[MessageCapability.messageType] = text }
        if options.includesSurfaces, surface != sentSurface {
            changed[MessageCapability.surfaceType] = String(surface)
        }
        (sentState, sentSurface) = (text, surface)
        guard !changed.isEmpty else { return nil }
        let change = StateChange(changed: [account: changed])
        return ByteBuffer(bytes: EventStreamEvent(name: "state", data: change.json.description, id: text).bytes)
    }
}
