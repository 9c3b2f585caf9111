import ExampleTerminal
import Foundation
import InboxKitCompatibility

/// The inbox as a list that is updated live, with archiving.
///
/// Based on InboxKit's Simple Mail, with InboxKit's names: it shows how code that was written for InboxKit looks with
/// this package. Only the delegate draws the list, from a model provider and its change sets.
///
///     INBOX_MAIL_PASSWORD=… inbox-simple-mail https://mail.example.com anna
@main
enum SimpleMail {
    static func main() async throws {
        let account = ExampleAccount("inbox-simple-mail")
        let manager = INAPIManager.shared()
        let namespace = try await manager.authenticate(
            server: account.server,
            credentials: account.credentials,
            directory: account.directory
        )
        let screen = Screen(namespace)
        await screen.isReady()
        for await line in Terminal.lines() { await screen.enter(line) }
        // Without the server, the next run sends the pending actions.
        do { try await namespace.mail.sync() } catch { Terminal.printError(error) }
        await namespace.mail.close()
    }
}

/// The counterpart of a view controller in InboxKit's apps.
@MainActor
final class Screen: INModelProviderDelegate {
    private let provider: INThreadProvider
    private let ready: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)

    init(_ namespace: INNamespace) {
        ready = AsyncStream.makeStream()
        provider = namespace.newThreadProvider()
        provider.itemFilterPredicate = namespace.predicate(tagIDs: INTagIDInbox)
        provider.itemSortDescriptors = [SortDescriptor(\.lastMessageDate, order: .reverse)]
        provider.delegate = self
    }

    /// Waits for the first fetch from the server, whether it succeeds or fails.
    func isReady() async {
        for await _ in ready.stream { return }
    }

    func enter(_ line: String) async {
        if line.isEmpty {
            provider.refresh()
        } else if let thread = Terminal.item(line, after: "a", in: provider.models) {
            do { try await thread.archive() } catch { Terminal.printError(error) }
        } else {
            Terminal.printLine("a N: archive, Enter: refresh")
        }
    }

    private func row(_ item: INModelObject, _ index: Int) -> String {
        guard let thread = item as? INThread else { return "" }
        let authors = thread.value.authors.map(\.displayName).joined(separator: ", ")
        return "\(index + 1) \(thread.unread ? "●" : " ") \(authors): \(thread.subject)"
    }

    // MARK: - INModelProviderDelegate

    func providerDataChanged(_ provider: INModelProvider) {
        for (index, item) in provider.items.enumerated() { Terminal.printLine("  \(row(item, index))") }
    }

    func provider(_ provider: INModelProvider, dataAltered changeSet: INModelProviderChangeSet) {
        for change in changeSet.changes {
            let mark =
                switch change.type {
                case .remove: "-"
                case .add: "+"
                case .update: "~"
                }
            Terminal.printLine("\(mark) \(row(change.item, change.index))")
        }
    }

    func provider(_ provider: INModelProvider, dataFetchFailed error: any Error) {
        Terminal.printError(error)
        ready.continuation.yield()
    }

    func providerDataFetchCompleted(_ provider: INModelProvider) {
        if provider.items.isEmpty { Terminal.printLine("The inbox is empty.") }
        ready.continuation.yield()
    }
}
