import ArgumentParser
import Foundation
import InboxClient

/// `inbox logout`: ends the login of a device, and deletes its messages.
struct LogoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "Log out, and delete the messages on this device.",
        discussion: """
            Sends what waits, and deletes the messages and the login on this device. The messages on the server stay, \
            and so does the mail of this device ('inbox mail logout').

            The token isn't ended: 'inbox token revoke' ends all of a person's.

            Example:
              inbox logout --directory second-device
            """
    )

    @OptionGroup var deviceOptions: DeviceOptions

    func run() async throws {
        let device = deviceOptions.device
        let login = try device.login()
        let lost = try await device.open(login).signOut()
        // They name messages.
        try LastAction.remove(device)
        try ListPosition.remove(device)
        try device.removeLogin()
        Output.line("Logged out as \(login.person.plainLine) at \(login.server.absoluteString).")
        if lost > 0 { Output.note("inbox: \(counted(lost, "message")) had changes that couldn't be sent.") }
    }
}
