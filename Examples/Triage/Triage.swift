import ExampleTerminal
import Foundation
import InboxKitCompatibility

/// The ten newest threads of the inbox, with commands to read or archive one.
///
/// Based on InboxKit's Triage, with InboxKit's names: a provider with a sort order and a range, bodies that are fetched
/// on demand, and actions.
///
///     INBOX_MAIL_PASSWORD=… inbox-triage https://mail.example.com anna
@main
enum Triage {
    static func main() async throws {
        let account = ExampleAccount("inbox-triage")
        let namespace = try await INAPIManager.shared().authenticate(
            server: account.server,
            credentials: account.credentials,
            directory: account.directory
        )
        let screen = Screen(namespace)
        await screen.show()
        for await line in Terminal.lines() { await screen.enter(line) }
        // Without the server, the next run sends the pending actions.
        do { try await namespace.mail.sync() } catch { Terminal.printError(error) }
        await namespace.mail.close()
    }
}

/// The counterpart of a view controller in InboxKit's apps.
@MainActor
final class Screen: INModelProviderDelegate {
    private static let help = "N: read, a N: archive, Enter: list again"

    private let namespace: INNamespace
    private let provider: INThreadProvider
    /// The threads as they were listed, by whose numbers the commands name them.
    private var threads: [INThread] = []
    /// Whether the provider is fetching. It begins by itself.
    private var isFetching = true
    private var waiting: CheckedContinuation<Void, Never>?

    init(_ namespace: INNamespace) {
        self.namespace = namespace
        provider = namespace.newThreadProvider()
        provider.itemFilterPredicate = namespace.predicate(tagIDs: INTagIDInbox)
        provider.itemSortDescriptors = [SortDescriptor(\.lastMessageDate, order: .reverse)]
        provider.itemRange = NSRange(location: 0, length: 10)
        provider.delegate = self
    }

    func enter(_ line: String) async {
        do {
            if line.isEmpty {
                isFetching = true
                provider.refresh()
                await show()
            } else if let thread = Terminal.item("r \(line)", after: "r", in: threads) {
                try await read(thread)
            } else if let thread = Terminal.item(line, after: "a", in: threads) {
                try await thread.archive()
                Terminal.printLine("Archived: \(thread.subject)")
            } else {
                Terminal.printLine(Self.help)
            }
        } catch {
            Terminal.printError(error)
        }
    }

    /// Lists the threads after the fetch, whether it succeeds or fails.
    func show() async {
        if isFetching { await withCheckedContinuation { waiting = $0 } }
        threads = provider.models
        for (number, thread) in threads.enumerated() {
            let authors = thread.value.authors.map(\.displayName).joined(separator: ", ")
            Terminal.printLine("\(number + 1) \(thread.unread ? "●" : " ") \(authors): \(thread.subject)")
        }
        Terminal.printLine(threads.isEmpty ? "The inbox is empty." : Self.help)
    }

    /// Prints the mails of a thread, oldest first. A body that isn't on this machine is fetched.
    private func read(_ thread: INThread) async throws {
        for id in thread.messageIDs {
            guard let message = try await namespace.message(withID: id) else { continue }
            Terminal.printLine("— \(message.from.map(\.displayName).joined(separator: ", ")), \(message.date)")
            do { try await message.reload() } catch { Terminal.printError(error) }
            Terminal.printLine(message.body ?? message.snippet)
        }
        try await thread.markAsRead()
    }

    private func didFetch() {
        isFetching = false
        waiting?.resume()
        waiting = nil
    }

    // MARK: - INModelProviderDelegate

    func provider(_ provider: INModelProvider, dataFetchFailed error: any Error) {
        Terminal.printError(error)
        didFetch()
    }

    func providerDataFetchCompleted(_ provider: INModelProvider) { didFetch() }
}
