package import Foundation
package import InboxMail

/// Whose mail an example program shows, as its arguments or its environment say.
package struct ExampleAccount: Sendable {
    /// Where the mail server is.
    package let server: URL
    package let credentials: MailCredentials
    /// Where the mail is kept on this machine.
    package let directory: URL

    /// Reads `PROGRAM URL [USER [PASSWORD]]`; what is left out is in `INBOX_MAIL_URL`, `INBOX_MAIL_USER` and
    /// `INBOX_MAIL_PASSWORD`, where other programs don't see it. `INBOX_MAIL_DIRECTORY` is where the mail is kept.
    ///
    /// Says what is missing and ends the program where something is.
    package init(_ program: String) {
        let environment = ProcessInfo.processInfo.environment
        let given =
            CommandLine.arguments.dropFirst()
            + ["URL", "USER", "PASSWORD"].dropFirst(CommandLine.arguments.count - 1).map {
                environment["INBOX_MAIL_\($0)"] ?? ""
            }
        let values = Array(given)
        guard values.count == 3, let server = URL(string: values[0]), values.allSatisfy({ !$0.isEmpty }) else {
            FileHandle.standardError.write(
                Data(
                    "usage: \(program) URL [USER [PASSWORD]], or INBOX_MAIL_URL, INBOX_MAIL_USER, INBOX_MAIL_PASSWORD\n"
                        .utf8
                )
            )
            exit(2)
        }
        let password = values[2]
        self.server = server
        credentials = .basic(user: values[1]) { password }
        let folder = environment["INBOX_MAIL_DIRECTORY"] ?? "\(NSHomeDirectory())/.swift-inbox-examples"
        directory = URL(fileURLWithPath: folder, isDirectory: true)
    }
}
