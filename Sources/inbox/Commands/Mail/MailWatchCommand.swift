import ArgumentParser
import Foundation
import InboxMail

/// `inbox mail watch`: a live list of threads.
struct MailWatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Watch the threads live.",
        discussion: """
            On a terminal, the list is redrawn in place, and keys act on it: ↑ and ↓ move, Enter opens, r marks as \
            read, a archives, s stars, R replies in $VISUAL or $EDITOR, z undoes, q quits, and ? shows all keys. \
            Otherwise, each new or changed thread is printed on a line. Ctrl-C or SIGTERM stops it. While the server \
            is unreachable, it keeps running and reconnects automatically.

            Examples:
              inbox mail watch --unread
              inbox mail watch --json | jq .counts.unreadInInbox
            """
    )

    @OptionGroup var deviceOptions: DeviceOptions
    @OptionGroup var filterOptions: ThreadFilterOptions

    @Flag(help: "Print one JSON object per line for each change: threads, counts, pendingWrites, connection.")
    var json = false

    func run() async throws {
        let showsScreen = !json && Terminal.showsOutput
        let device = deviceOptions.device
        try await device.withMail(isLive: true) { mail, login in
            if showsScreen, Keyboard.isPresent {
                let query = try await filterOptions.query(in: mail)
                let watcher = ThreadKeyWatcher(
                    mail: mail,
                    device: device,
                    login: login,
                    people: try await MailPeople(mail),
                    emptyText: filterOptions.emptyText
                )
                return try await watching(mail.store, login: MailLogin.command) {
                    try await runUntilInterrupted { try await watcher.run(query) }
                }
            }
            let events = WatchEvent.all(
                mail.observeThreads(try await filterOptions.query(in: mail)),
                mail.connectionStates,
                redraws: showsScreen ? Screen.redraws(every: 10) : nil
            )
            let people = try await MailPeople(mail)
            try await watching(mail.store, login: MailLogin.command) {
                try await runUntilInterrupted { [json] in
                    var watcher: any Watcher<MailSnapshot<MailThread>>
                    if json {
                        watcher = JSONWatcher()
                    } else if showsScreen {
                        watcher = ThreadScreenWatcher(user: login.user, people: people)
                    } else {
                        watcher = ThreadLineWatcher(people: people)
                    }
                    try await watcher.follow(events)
                }
            }
        }
    }
}
