import ArgumentParser
import Foundation
import InboxClient

/// `inbox watch`: the inbox, live.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Follow the inbox live.",
        discussion: """
            On a terminal the list is drawn anew in place; elsewhere each new or changed message is a line. Ctrl-C or SIGTERM \
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
        let looks = showsScreen ? Screen.looks(every: 10) : nil
        let events = inbox.watchEvents(filterOptions, looks: looks)
        let filter = filterOptions.filter
        try await untilInterrupted { [json] in
            var watcher: any Watcher
            if json {
                watcher = JSONWatcher()
            } else if showsScreen {
                watcher = ScreenWatcher(person: login.person, filter: filter)
            } else {
                watcher = LineWatcher()
            }
            watcher.begin()
            defer { watcher.end() }
            var state = WatchState()
            for try await event in events {
                switch event {
                case .snapshot(let snapshot): state.snapshot = snapshot
                case .connection(let connection): state.connection = connection
                case .look: break
                }
                watcher.show(state, after: event)
            }
        }
        await inbox.close()
    }
}
