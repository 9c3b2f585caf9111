import InboxMail
import InboxMailViews
import Observation

/// The pile of cards: the threads of all inboxes, the newest on top, without those that the person keeps for now.
@MainActor
@Observable
final class TriageModel {
    /// A thread in the pile.
    struct Card: Identifiable {
        let account: MailScreenModel
        let thread: MailThread

        var id: String { "\(ObjectIdentifier(account)) \(thread.id)" }
    }

    enum State { case loading, failed, cards([Card]) }

    private let accounts: MailAccountsModel
    /// The cards that the person keeps, until the app ends.
    private var kept: Set<String> = []
    /// The account of the last change, which can be undone.
    private var changed: MailScreenModel?

    init(_ accounts: MailAccountsModel) { self.accounts = accounts }

    var state: State {
        let cards = accounts.accounts.flatMap { account in account.threads.map { Card(account: account, thread: $0) } }
            .filter { !kept.contains($0.id) }
            .sorted { $0.thread.lastMessageDate > $1.thread.lastMessageDate }
        guard cards.isEmpty else { return .cards(cards) }
        for account in accounts.accounts {
            switch account.list.state {
            case .loading: return .loading
            case .failed: return .failed
            case .loaded: break
            }
        }
        return .cards([])
    }

    var canUndo: Bool { changed?.actions.undoable != nil }
    var hasFailed: Bool { accounts.accounts.contains { $0.actions.error != nil || $0.actions.wasRefused } }

    func keep(_ card: Card) { kept.insert(card.id) }

    func perform(_ change: MailChange, _ card: Card) async {
        changed = card.account
        await card.account.perform(change, [card.thread.id])
        // The pile is refilled before it ends.
        if card.account.hasMore, card.account.threads.count < 20 { card.account.loadMore() }
    }

    func undo() async { await changed?.actions.undo() }

    func dismissFailure() {
        for account in accounts.accounts { account.actions.dismiss() }
    }

    /// Shows the kept cards again, and asks the servers for others.
    func startOver() async {
        kept = []
        await accounts.refresh()
    }
}
