import Foundation
import Groundwork
import InboxMail
import ReplicaTesting
import InboxTesting
import RunningMailServer
import Testing

/// A mail server that delivers to a receiver, and devices with a clock of their own.
final class WritingServer: Sendable {
    let server: MailServer
    let receiver: MailReceiver
    let clock = ManualClock()

    private init(_ server: MailServer, _ receiver: MailReceiver) { (self.server, self.receiver) = (server, receiver) }

    /// Runs a test with a server, and expects that no recipient has got a mail twice.
    ///
    /// - Parameter isSentAgain: Whether the test sends a mail again that was received, as a person may order.
    static func run(
        options: [String] = [],
        sendsHeld: Bool = false,
        isSentAgain: Bool = false,
        isolation: isolated (any Actor)? = #isolation,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: (WritingServer) async throws -> Void
    ) async throws {
        let receiver = try await MailReceiver()
        do {
            try await MailServer.run(options: receiver.options + options, sendsHeld: sendsHeld) { server in
                let own = WritingServer(server, receiver)
                try await body(own)
                let twice = try await own.deliveries().filter { $0.value > 1 && $0.key.hasPrefix("<") }
                #expect(twice.isEmpty || isSentAgain, "received twice: \(twice)", sourceLocation: sourceLocation)
            }
        } catch {
            await receiver.stop()
            throw error
        }
        await receiver.stop()
    }

    /// A device of Alice's. Nothing is sent before ``TestDevice/settle(_:)``.
    ///
    /// - Parameter url: The address of a relay to the server; nil for the server itself.
    func device(
        _ directory: URL? = nil,
        at url: URL? = nil,
        configure: (inout MailConfiguration) -> Void = { _ in }
    ) async throws -> TestDevice {
        let clock = clock
        return try await TestDevice(server, directory: directory, at: url) { configuration in
            configuration.clock = clock
            configuration.sender = EmailAddress(name: "Alice Müller", email: "alice@example.com")
            configure(&configuration)
        }
    }

    /// Advances the clock beyond all waits of drafts, and syncs.
    func settle(_ device: TestDevice, seconds: Double = 6) async throws {
        clock.advance(by: seconds)
        try await device.mail.sync()
    }

    /// The numbers of mails that each recipient got, by `Message-ID` and recipient.
    func deliveries() async throws -> [String: Int] {
        try await receiver.mails().reduce(into: [:]) { counts, mail in
            for recipient in mail.recipients {
                counts["\(mail.header("Message-ID").joined()) \(recipient)", default: 0] += 1
            }
        }
    }

    /// The mails of a mailbox on the server.
    func mails(in role: String) async throws -> [JSON] {
        let mailbox = try await server.mailbox(role)
        return try await server.emails().values.filter { $0["mailboxIds"]?[mailbox]?.boolValue ?? false }
    }
}
