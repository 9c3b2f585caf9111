import Foundation
import Groundwork
import InboxClient
import InboxTesting
import Replica

/// One app used by several people. Each person has their own server, to which their token leads.
final class App: Sendable {
    let servers = ["alice": ScriptedServer(person: "alice"), "bob": ScriptedServer(person: "bob")]
    let clock = ManualClock()
    let transport: ScriptedTransport
    let directory: URL

    init() {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("inbox-\(UUID())")
        transport = ScriptedTransport { _ in throw TransportError.unreachable("no network") }
        connect()
        alice.deliver(.at(0, "alices"))
        bob.deliver(.at(0, "bobs"))
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    var alice: ScriptedServer { servers["alice"]! }
    var bob: ScriptedServer { servers["bob"]! }

    func connect() {
        transport.answer { [servers] request in
            let person = String(request.headers["Authorization"]?.dropFirst("Bearer ".count) ?? "")
            return servers[person]?.answer(request) ?? TransportResponse(status: 401, url: request.url)
        }
    }

    /// Delays a person's requests until the stream ends, even if they are cancelled.
    func delay(_ person: String, until resume: AsyncStream<Void>) {
        transport.answer { [servers] request in
            let sender = String(request.headers["Authorization"]?.dropFirst("Bearer ".count) ?? "")
            let answer = servers[sender]?.answer(request) ?? TransportResponse(status: 401, url: request.url)
            if sender == person { await Task { for await _ in resume {} }.value }
            return answer
        }
    }

    func disconnect() {
        transport.answer { _ in throw TransportError.unreachable("no network") }
    }

    var configuration: InboxConfiguration {
        var configuration = InboxConfiguration()
        configuration.clock = clock
        configuration.transport = transport
        configuration.isLive = false
        configuration.sharesEngine = false
        return configuration
    }

    /// Starts the app, for the first time or again.
    func start(server: String = "https://inbox.example", writeHook: WriteHook? = nil) -> CurrentInbox {
        var configuration = configuration
        configuration.writeHook = writeHook
        return CurrentInbox(
            server: URL(string: server)!,
            directory: directory,
            configuration: configuration
        ) { $0 }
    }

    /// The file that stores the identified person.
    var identityFile: URL { directory.appendingPathComponent("identified.json") }

    func remembers(_ person: String) -> Bool {
        (try? Data(contentsOf: identityFile)).map { String(decoding: $0, as: UTF8.self).contains(person) } ?? false
    }

    /// The names of the inboxes' files.
    var files: Set<String> {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        return Set(all.filter { $0.hasSuffix(".sqlite") })
    }
}
