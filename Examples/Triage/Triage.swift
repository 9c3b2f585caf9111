import ExampleTerminal
import Foundation
import InboxMail

/// The ten newest threads of the inbox, with commands to read or archive one.
///
/// Based on InboxKit's Triage. It shows queries with a sort order and a limit, bodies that are fetched on demand, and
/// actions of `InboxMail`.
///
///     INBOX_MAIL_PASSWORD=… inbox-triage https://mail.example.com anna
@main
enum Triage {
    private static let help = "N: read, a N: archive, Enter: list again"

    static func main() async throws {
        let account = ExampleAccount("inbox-triage")
        let mail = try await Mail.open(
            server: account.server,
            credentials: account.credentials,
            directory: account.directory
        )
        // Without the server, the mail on this machine is shown.
        do { try await mail.sync() } catch { Terminal.printError(error) }

        var threads = try await list(mail)
        for await line in Terminal.lines() {
            do {
                if line.isEmpty {
                    threads = try await list(mail)
                } else if let thread = Terminal.item("r \(line)", after: "r", in: threads) {
                    try await read(thread, mail)
                } else if let thread = Terminal.item(line, after: "a", in: threads) {
                    try await mail.archive(threads: [thread.id])
                    Terminal.printLine("Archived: \(thread.subject)")
                } else {
                    Terminal.printLine(help)
                }
            } catch {
                Terminal.printError(error)
            }
        }
        // Without the server, the next run sends the pending actions.
        do { try await mail.sync() } catch { Terminal.printError(error) }
        await mail.close()
    }

    private static func list(_ mail: Mail) async throws -> [MailThread] {
        let threads = try await mail.threads(
            Query(
                where: #Predicate { $0.isInInbox },
                sort: [SortDescriptor(\.lastMessageDate, order: .reverse)],
                limit: 10
            )
        )
        for (number, thread) in threads.enumerated() {
            let authors = thread.authors.map(\.displayName).joined(separator: ", ")
            Terminal.printLine("\(number + 1) \(thread.isUnread ? "●" : " ") \(authors): \(thread.subject)")
        }
        Terminal.printLine(threads.isEmpty ? "The inbox is empty." : help)
        return threads
    }

    /// Prints the messages of a thread, oldest first. Bodies that aren't on this machine are fetched together.
    private static func read(_ thread: MailThread, _ mail: Mail) async throws {
        let messages = try await mail.messages(inThread: thread.id)
        let bodies = try await mail.bodies(of: messages.map(\.id))
        for message in messages {
            Terminal.printLine("— \(message.from.map(\.displayName).joined(separator: ", ")), \(message.receivedAt)")
            Terminal.printLine(bodies[message.id]?.text ?? message.snippet)
        }
        try await mail.markRead(threads: [thread.id])
    }
}
