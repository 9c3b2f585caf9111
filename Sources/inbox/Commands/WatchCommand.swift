import ArgumentParser
import Foundation
import InboxClient

/// `inbox watch`: a live view of the inbox.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Follow the inbox live.",
        discussion: """
            On a terminal the list is redrawn in place; elsewhere each new or changed message is a line. Ctrl-C or SIGTERM \
            ends it. It goes on while the server is away, and catches up by itself.

            Examples:
              inbox watch --filter unread
              inbox watch --json | jq .counts.unread
            """
    )

    @OptionGroup var deviceOptions: DeviceOptions
    @OptionGroup var filterOptions: FilterOptions

    @Flag(help: "Print a JSON object a line for each change: messages, counts, pendingWrites, connection.")
    var json = false

    func run() async throws {
        let device = deviceOptions.device
        let login = try device.login()
        let inbox = try await device.open(login, isLive: true)
        let showsScreen = !json && Terminal.showsOutput
        let events = WatchEvent.all(
            inbox.observe(filterOptions.filter, surface: filterOptions.surface, limit: filterOptions.limit),
            inbox.connectionStates,
            looks: showsScreen ? Screen.looks(every: 10) : nil
        )
        let filter = filterOptions.filter
        try await untilInterrupted { [json] in
            var watcher: any Watcher<InboxSnapshot>
            if json {
                watcher = JSONWatcher()
            } else if showsScreen {
                watcher = ScreenWatcher(person: login.person, filter: filter)
            } else {
                watcher = LineWatcher()
            }
            try await watcher.follow(events)
        }
        await inbox.close()
    }
}
