import ArgumentParser
import Foundation
import InboxClient

/// `inbox watch`: a live view of the inbox.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Watch the inbox live.",
        discussion: """
            On a terminal, the list is redrawn in place, and keys act on it: ↑ and ↓ move, a archives, s snoozes, / \
            searches, z undoes, q quits, and ? shows all keys. Otherwise, each new or changed message is printed on a \
            line. Ctrl-C or SIGTERM stops it. While the server is unreachable, it keeps running and reconnects \
            automatically. It ends with exit code 2 once another process has logged the device out.

            Examples:
              inbox watch --filter unread
              inbox watch --json | jq .counts.unread
            """
    )

    @OptionGroup var deviceOptions: DeviceOptions
    @OptionGroup var filterOptions: FilterOptions

    @Flag(help: "Print one JSON object per line for each change: messages, counts, pendingWrites, connection.")
    var json = false

    func run() async throws {
        let device = deviceOptions.device
        let login = try device.login()
        let inbox = try await device.open(login, isLive: true)
        let showsScreen = !json && Terminal.showsOutput
        if showsScreen, Keyboard.isPresent {
            let watcher = KeyWatcher(inbox: inbox, device: device, login: login, surface: filterOptions.surface)
            let (filter, limit) = (filterOptions.filter, filterOptions.limit)
            try await watching(inbox.store, login: Login.command) {
                try await runUntilInterrupted { try await watcher.run(filter: filter, limit: limit) }
            }
            return await inbox.close()
        }
        let events = WatchEvent.all(
            inbox.observe(filterOptions.filter, surface: filterOptions.surface, limit: filterOptions.limit),
            inbox.connectionStates,
            redraws: showsScreen ? Screen.redraws(every: 10) : nil
        )
        let filter = filterOptions.filter
        try await watching(inbox.store, login: Login.command) {
            try await runUntilInterrupted { [json] in
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
        }
        await inbox.close()
    }
}
