import Foundation
import InboxServer
import ServiceLifecycle

/// Fills the demo's server once it is ready, and says what to do with it.
struct DemoHost: Service {
    let directory: URL
    let messages: DemoMessages
    let ready: AsyncStream<ReadyInformation>

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { [self] in
                guard let ready = await ready.first(where: { _ in true }) else { return }
                try await fill(ready.url)
            }
            try await gracefulShutdown()
        } catch is CancellationError {
            // The server has ended, which tells why.
        }
    }

    private func fill(_ server: URL) async throws {
        var state = try DemoState(in: directory)
        let start = state.begunAt ?? Date()
        let items = messages.unsent(state, from: start)
        if !items.isEmpty {
            state.begunAt = start
            try state.save(in: directory)
            let sender = BulkSender(server: SendingServer(url: server, key: state.key), width: 1)
            for await outcome in sender.send(items) {
                switch outcome.result {
                case .sent(let receipt): state.sent[outcome.item.idempotencyKey] = receipt.id
                case .refused(let error):
                    let place = error.pointer.map { "\($0): " } ?? ""
                    Output.note("inbox: message \(outcome.item.position) wasn't sent: \(place)\(error.description)")
                case .notTried: break
                }
            }
            state.begunAt = nil
            try state.save(in: directory)
        }
        let api = SendingServer(url: server, key: state.key)
        let token = try? await api.makeToken(for: messages.people.first ?? DemoInvitation.anyone, lifetime: 30 * 86_400)
        let invitation = DemoInvitation(
            server: server,
            directory: directory,
            people: messages.people,
            token: token?.text
        )
        for line in invitation.lines(messageCount: messages.items.count) { Output.line(line) }
    }
}
