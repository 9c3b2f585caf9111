import Foundation
import Groundwork
import InboxServer
import ServiceLifecycle

/// Sends the demo's messages once the server is ready, and prints the commands to use it.
struct DemoHost: Service {
    let directory: URL
    let messages: DemoMessages
    let ready: AsyncStream<ReadyInformation>

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { [self] in
                guard let ready = await ready.first(where: { _ in true }) else { return }
                try await sendMessages(ready)
            }
            try await gracefulShutdown()
        } catch is CancellationError {
            // The server has stopped, and reports the reason.
        }
    }

    private func sendMessages(_ ready: ReadyInformation) async throws {
        var state = try DemoState(in: directory)
        let api = ServerAPI(url: ready.url, key: state.key)
        let address = ready.url.absoluteString
        if let server = state.server, server != address {
            await updatePictures(messages.pictures(state, server: ready.url), api)
        }
        state.server = address
        let start = state.begunAt ?? Date()
        let items = messages.unsent(state, from: start, server: ready.url)
        if !items.isEmpty {
            state.begunAt = start
            try state.save(in: directory)
            let sender = BulkSender(server: api, maxConcurrentRequests: 1)
            var new = state
            new.sent = [:]
            for await outcome in sender.send(items) {
                let key = outcome.item.idempotencyKey
                switch outcome.result {
                case .sent(let receipt):
                    state.sent[key] = receipt.id
                    new.sent[key] = receipt.id
                case .refused(let error):
                    let place = error.pointer.map { "\($0): " } ?? ""
                    Output.note("inbox: message \(outcome.item.position) wasn't sent: \(place)\(error.description)")
                case .skipped: break
                }
            }
            // Done last: a person is known once a message to them was sent.
            for (person, actions) in messages.actions(new) { await perform(actions, by: person, api) }
            state.begunAt = nil
        }
        try state.save(in: directory)
        let instructions = DemoInstructions(
            server: ready.url,
            directory: directory,
            people: messages.people,
            links: (messages.people.isEmpty ? [DemoInstructions.anyone] : messages.people).compactMap { person in
                ready.makeSignInLink(for: person).map { (person: person, url: $0) }
            }
        )
        let sentCount = messages.items.count { state.sent[$0.idempotencyKey] != nil }
        for line in instructions.lines(messageCount: sentCount) { Output.line(line) }
    }

    /// Performs a person's actions. If that fails, the messages stay as they were sent.
    private func perform(_ actions: [DemoAction], by person: String, _ api: ServerAPI) async {
        do {
            let device = directory.appendingPathComponent("first-device-\(person)", isDirectory: true)
            try await DemoAction.perform(actions, by: person, in: device, api)
        } catch {
            Output.note("inbox: \(person)'s messages stay as they were sent: \(error)")
        }
    }

    /// Updates the picture URLs of messages from an earlier run to the server's new address. Expired messages are
    /// skipped.
    private func updatePictures(_ pictures: [String: JSON], _ api: ServerAPI) async {
        for (id, media) in pictures {
            _ = try? await api.call("PATCH", ["v1", "messages", id], body: ["message": ["media": media]])
        }
    }
}
