import ArgumentParser
import Foundation

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

    @Flag(help: "Also delete drafts that aren't sent or saved on the server, and unsaved pages of an editor.")
    var discardDrafts = false

    func run() async throws {
        let device = deviceOptions.device
        let login = try device.mailLogin()
        let result = try await device.signOut(login, discardsDrafts: discardDrafts)
        try device.removeMailLogin()
        Output.line("Logged out as \(login.user.plainLine) at \(login.server.absoluteString).")
        if result.lost > 0 { Output.note("inbox: \(counted(result.lost, "mail")) had changes that couldn't be sent.") }
        if result.isRevoked == false {
            Output.note("inbox: The server couldn't revoke the access. It ends by itself.")
        }
    }
}
