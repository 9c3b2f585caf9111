import ExampleTerminal
import Foundation
import InboxMail

/// Shows one unread thread of the inbox. Enter marks it as read and shows the next.
///
/// Based on InboxKit's EightBall, in which shaking the device does this. It shows the minimum that a program needs of
/// `InboxMail`: open, sync, a query with a predicate and a limit, and one action, which also works offline.
///
///     INBOX_MAIL_PASSWORD=… inbox-eight-ball https://mail.example.com anna
@main
enum EightBall {
    static func main() async throws {
        let account = ExampleAccount("inbox-eight-ball")
        let mail = try await Mail.open(
            server: account.server,
            credentials: account.credentials,
            directory: account.directory
        )
        // Without the server, the mail on this machine is shown.
        do { try await mail.sync() } catch { Terminal.printError(error) }

        var lines = Terminal.lines().makeAsyncIterator()
        let next = Query<MailThread>(where: #Predicate { $0.isInInbox && $0.isUnread }, limit: 1)
        while let thread = try await mail.threads(next).first {
            let authors = thread.authors.map(\.displayName).joined(separator: ", ")
            Terminal.printLine("\(authors): \(thread.subject)\n    \(thread.snippet)")
            guard await lines.next() != nil else { return await end(mail) }
            try await mail.markRead(threads: [thread.id])
        }
        Terminal.printLine("No unread messages.")
        await end(mail)
    }

    /// Sends the pending actions. Without the server, the next run sends them.
    private static func end(_ mail: Mail) async {
        do { try await mail.sync() } catch { Terminal.printError(error) }
        await mail.close()
    }
}
