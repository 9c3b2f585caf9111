import ArgumentParser
import Foundation
import Groundwork
import InboxClient

/// `inbox status`: the sync status of this device.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the sync status of this device.",
        discussion: """
            Syncs first. Devices with the same state hold the same data. Exits with 0 even if the server can't be \
            reached, and with 2 if it doesn't accept the login.

            Example:
              inbox status --json
            """
    )

    @OptionGroup var deviceOptions: DeviceOptions

    @Flag(help: "Don't contact the server.")
    var offline = false

    @Flag(help: "Print a JSON object.")
    var json = false

    func run() async throws {
        let device = deviceOptions.device
        let login = try device.login()
        let inbox = try await device.open(login)
        let outcome = try await SyncOutcome.attempt(inbox, offline: offline)
        let status = try await inbox.status()
        let counts = try await inbox.counts()
        await inbox.close()
        if json {
            Output.line(object(device, login, outcome, status, counts).description)
        } else {
            for line in lines(device, login, outcome, status, counts) { Output.line(line) }
        }
        try outcome.requireLogin()
    }

    private func lines(
        _ device: Device,
        _ login: Login,
        _ outcome: SyncOutcome,
        _ status: InboxStatus,
        _ counts: MessageCounts
    ) -> [String] {
        let connection =
            switch outcome {
            case .synced: ANSIStyle.success("reached")
            case .skipped: "not attempted (--offline)"
            case .failed: ANSIStyle.failure(outcome.reason ?? "")
            }
        let unsent = [(status.pendingWrites, "change"), (status.pendingEvents, "event")].filter { $0.0 > 0 }
            .map { counted($0.0, $0.1) }
        let waiting = unsent.isEmpty ? "nothing" : ANSIStyle.warning(unsent.joined(separator: ", "))
        let facts: [(String, String)] = [
            ("Person", login.person.plainLine),
            ("Server", login.server.absoluteString),
            ("Connection", connection),
            ("Last sync", status.lastSync.map { ShortTime.exact($0, now: Date()) } ?? "never"),
            ("State", status.state ?? "none"),
            ("To be sent", waiting),
            ("Inbox", "\(counted(counts.total, "message")), \(counts.unread) unread"),
            ("Other", "\(counts.archived) archived, \(counts.snoozed) snoozed"),
            (
                "Unreadable",
                status.unreadableRecords == 0
                    ? "none" : ANSIStyle.warning(counted(status.unreadableRecords, "message"))
            ),
            (
                "Token",
                login.tokenExpiresAt.map {
                    "\($0 < Date() ? "expired" : "expires") \(ShortTime.text($0, now: Date()))"
                        + (login.key == nil ? "" : ", renewed automatically")
                } ?? "stored"
            ),
            ("Store", device.storeFile(login).path),
        ]
        return facts.map { ANSIStyle.dim($0.0.padded(to: 12)) + $0.1 }
    }

    private func object(
        _ device: Device,
        _ login: Login,
        _ outcome: SyncOutcome,
        _ status: InboxStatus,
        _ counts: MessageCounts
    ) -> JSON {
        var object = JSONObject([
            ("person", .string(login.person)),
            ("server", .string(login.server.absoluteString)),
            ("synced", .bool(outcome.isSynced)),
            ("pendingWrites", JSON(status.pendingWrites)),
            ("pendingEvents", JSON(status.pendingEvents)),
            ("droppedEvents", JSON(status.droppedEvents)),
            ("counts", counts.json),
            ("setAside", JSON(status.unreadableRecords)),
            ("store", .string(device.storeFile(login).path)),
        ])
        object["state"] = status.state.map(JSON.string)
        object["lastSync"] = status.lastSync.map { .string(RFC3339.string(from: $0)) }
        object["problem"] = outcome.reason.map(JSON.string)
        return .object(object)
    }
}
