import ArgumentParser
import Foundation
import InboxMail
import MailSignIn

/// `inbox mail logout`: ends the access of a device, and deletes its mail.
struct MailLogoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "Log out, and delete the mail on this device.",
        discussion: """
            Sends what waits, deletes the mails, the login and the tokens on this device, and revokes the tokens. The \
            mails on the server stay.

            Example:
              inbox mail logout
            """
    )

    @OptionGroup var deviceOptions: DeviceOptions

    @Flag(help: "Also delete drafts that aren't sent or saved on the server.")
    var discardDrafts = false

    func run() async throws {
        let device = deviceOptions.device
        let login = try device.mailLogin()
        let discardsDrafts = discardDrafts
        let lost = try await device.withMail { mail, _ in
            do {
                return try await mail.signOut(discardsDrafts: discardsDrafts)
            } catch let error as MailError where error.code == .unsentDrafts {
                throw Failure("\(error.description.plainLine) With --discard-drafts they are deleted.")
            }
        }
        var isRevoked: Bool?
        if login.scheme == .oauth {
            do {
                isRevoked = try await device.keeper(of: login).signOut()
            } catch let error as SignInError where error.code == .signInRequired {
                isRevoked = nil
            }
        }
        try device.removeMailLogin()
        Output.line("Logged out as \(login.user.plainLine) at \(login.server.absoluteString).")
        if lost > 0 { Output.note("inbox: \(counted(lost, "mail")) had changes that couldn't be sent.") }
        if isRevoked == false {
            Output.note("inbox: The server couldn't revoke the access. It ends by itself.")
        }
    }
}
