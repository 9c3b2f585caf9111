import Foundation
public import Groundwork
import InboxModel
import JMAP

extension ScriptedServer {
    /// Opens an event stream that reports each change from now on. With `transport.answerStreams { _ in
    /// server.openEvents() }`, a device uses it instead of polling.
    public func openEvents() -> TransportStream {
        let (body, listener) = AsyncThrowingStream.makeStream(of: [UInt8].self, throwing: (any Error).self)
        let id = UUID()
        state.withLock { $0.listeners[id] = listener }
        listener.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: id) }
        }
        return TransportStream(status: 200, body: body)
    }
}

extension ScriptedServer.State {
    func notifyOfMessages() {
        notify(MessageCapability.messageType, state)
    }

    /// Sends a type's state to the open event streams.
    func notify(_ type: String, _ state: Int) {
        let change = StateChange(changed: [ScriptedServer.account: [type: String(state)]])
        let event = EventStreamEvent(name: "state", data: change.json.description)
        for listener in listeners.values { listener.yield(event.bytes) }
    }
}
