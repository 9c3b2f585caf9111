package import Foundation
package import InboxMail

/// The mail account of an example program, from its arguments or its environment.
package struct ExampleAccount: Sendable {
    /// The URL of the mail server.
    package let server: URL
    package let credentials: MailCredentials
    /// The name and address with which mails are sent, for servers that don't provide them.
    package let sender: EmailAddress?
    /// The folder in which the mail is stored on this machine.
    package let directory: URL

    /// Reads `PROGRAM URL [USER [PASSWORD]]`. Missing arguments are read from `INBOX_MAIL_URL`, `INBOX_MAIL_USER` and
    /// `INBOX_MAIL_PASSWORD`, which other programs don't see, unlike arguments. The mail is stored in
    /// `INBOX_MAIL_DIRECTORY`, and sent from `INBOX_MAIL_ADDRESS`, such as `Anna <anna@example.com>`.
    ///
    /// If a value is missing, this prints the usage and ends the program.
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
        sender = environment["INBOX_MAIL_ADDRESS"].flatMap { EmailAddress.read($0).addresses.first }
        let folder = environment["INBOX_MAIL_DIRECTORY"] ?? "\(NSHomeDirectory())/.swift-inbox-examples"
        directory = URL(fileURLWithPath: folder, isDirectory: true)
    }
}
