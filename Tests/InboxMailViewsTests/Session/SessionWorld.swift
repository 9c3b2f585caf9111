import Foundation
import Groundwork
import InboxMail
import InboxMailViews
import MailSignIn
import ReplicaTesting
import Screens
import StandardMailServer

/// The sign-ins of a test's own, and a mail server in memory whose network a test can cut.
@MainActor
final class SessionWorld {
    let signIn = SignInWorld()
    let server: StandardMailServer
    let directory = FileManager.default.temporaryDirectory.appending(path: "session-\(UUID())")
    private let transport: ScriptedTransport

    init() {
        let server = StandardMailServer(clock: signIn.clock)
        self.server = server
        transport = ScriptedTransport { server.answer($0) }
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    var isConnected = true {
        didSet {
            let server = server
            if isConnected {
                transport.answer { server.answer($0) }
            } else {
                transport.answer { _ in throw TransportError.unreachable("no network") }
            }
        }
    }

    /// The accounts as an app has them after its start.
    ///
    /// - Parameter folder: The folder of the mail; nil for that of all starts.
    func session(in folder: URL? = nil) -> MailSessionModel {
        MailSessionModel(
            browser: signIn.browser,
            storage: signIn.storage,
            directory: folder ?? directory,
            configuration: configuration,
            mail: mail
        )
    }

    var configuration: SignInConfiguration {
        var configuration = SignInConfiguration()
        configuration.clock = signIn.clock
        configuration.transport = signIn.transport
        configuration.resolver = signIn.dns
        return configuration
    }

    var mail: MailConfiguration {
        var mail = MailConfiguration()
        mail.isLive = false
        mail.sharesEngine = false
        mail.transport = transport
        mail.clock = signIn.clock
        return mail
    }

    /// The server receives a mail from Bob, with the text "At one?".
    func deliver(_ subject: String) {
        server.deliver([
            "mailboxIds": ["inbox": true], "keywords": .object(JSONObject()), "subject": .string(subject),
            "from": [["name": "Bob", "email": "bob@example.org"]],
            "to": [["name": "Alice", "email": .string(StandardMailServer.user)]],
            "messageId": [.string("\(UUID())@example.com")],
            "bodyStructure": ["partId": "1", "type": "text/plain"], "bodyValues": ["1": ["value": "At one?"]],
        ])
    }
}
