import Foundation
public import Groundwork
import InboxModel

extension ScriptedServer {
    /// Opens an event stream, which reports each later change. A device with
    /// `transport.answerStreams { _ in server.openEvents() }` listens to it instead of polling.
    public func openEvents() -> TransportStream {
        let (body, listener) = AsyncThrowingStream.makeStream(of: [UInt8].self, throwing: (any Error).self)
        let id = UUID()
        state.withLock { $0.account.addListener(id, listener) }
        listener.onTermination = { [weak self] _ in self?.state.withLock { $0.account.removeListener(id) } }
        return TransportStream(status: 200, body: body)
    }
}

extension ScriptedServer.State {
    func notifyOfMessages() {
        account.notify(MessageCapability.messageType, messages.state)
    }
}
