public import Groundwork
public import InboxMail
public import Observation

/// The state of a screen with several accounts of mail, of which one is shown.
@MainActor
@Observable
public final class MailAccountsModel {
    /// The accounts, in the order in which they were given.
    public private(set) var accounts: [MailScreenModel] = []
    /// The account that is shown; nil if there is none.
    public private(set) var current: MailScreenModel?
    /// Whether the mailboxes are shown in place of the threads, where there isn't space for both.
    public var showsMailboxes = false

    @ObservationIgnored private let clock: any WallClock

    /// Creates a model that shows the first account.
    ///
    /// - Parameters:
    ///   - mails: The accounts.
    ///   - clock: The clock.
    public init(_ mails: [Mail] = [], clock: any WallClock = SystemClock()) {
        self.clock = clock
        update(mails)
    }

    /// Shows other accounts, such as after a sign-in or a sign-out. Those that stay keep their state.
    public func update(_ mails: [Mail]) {
        accounts = mails.map { mail in
            accounts.first { $0.mail === mail } ?? MailScreenModel(mail, clock: clock)
        }
        if current.map({ current in !accounts.contains { $0 === current } }) ?? true { current = accounts.first }
    }

    /// Syncs all accounts with their servers, and returns when each has answered or failed.
    public func refresh() async {
        let tasks = accounts.map { account in Task { await account.mailboxes.refresh() } }
        for task in tasks { await task.value }
    }

    /// Shows a place of an account.
    public func show(_ place: MailboxSelection, of account: MailScreenModel) {
        guard accounts.contains(where: { $0 === account }) else { return }
        if current !== account {
            current?.endSelection()
            current = account
        }
        account.place = place
        account.opened = nil
        showsMailboxes = false
    }
}
