#if canImport(SwiftUI) && canImport(WebKit)
    import InboxCards
    import InboxMail
    import InboxViews
    public import SwiftUI

    /// Mail on screen: the mailboxes, the threads of one, and the thread that is open, side by side on wide screens.
    ///
    /// ```swift
    /// MailScreen().mail(mail)
    /// ```
    ///
    /// The mail comes from the environment. For several accounts the app has the state:
    ///
    /// ```swift
    /// @State private var accounts = MailAccountsModel()     // after each sign-in: accounts.update(mails)
    ///
    /// var body: some View {
    ///     MailScreen(accounts)
    /// }
    /// ```
    public struct MailScreen: View {
        private let model: MailAccountsModel?
        @Environment(\.mail) private var mail
        @State private var cache = ModelCache<MailAccountsModel>()

        /// Creates a screen of the environment's mail, which has its state.
        public init() { model = nil }

        /// Creates a screen of several accounts, whose state the app has.
        ///
        /// - Parameter model: The accounts.
        public init(_ model: MailAccountsModel) { self.model = model }

        /// The screen.
        public var body: some View {
            if let shown {
                MailSplit(model: shown)
            } else {
                MailPlaceholderView(.signedOut)
            }
        }

        private var shown: MailAccountsModel? {
            if let model { return model }
            cache.follow(mail) { MailAccountsModel([$0]) }
            return cache.model
        }
    }

    private struct MailSplit: View {
        let model: MailAccountsModel
        @Environment(\.mailWriting) private var writing

        var body: some View {
            NavigationSplitView(preferredCompactColumn: column) {
                MailboxList(model)
            } content: {
                if let account = model.current {
                    ThreadList(account)
                } else {
                    MailPlaceholderView(.signedOut)
                }
            } detail: {
                if let account = model.current, let id = account.opened {
                    ThreadScreen(id, of: account).id("\(ObjectIdentifier(account)) \(id)")
                } else {
                    Image(systemName: "tray").font(.largeTitle).foregroundStyle(.secondary).accessibilityHidden(true)
                }
            }
            .undoSendBar(writing == nil ? nil : model.current?.outbox) { draft in
                if let mail = model.current?.mail { writing?.write(.draft(draft), in: mail) }
            }
        }

        /// On narrow screens the open thread covers the list, and the list the mailboxes. Going back closes them.
        private var column: Binding<NavigationSplitViewColumn> {
            Binding {
                if model.current?.opened != nil { return .detail }
                return model.showsMailboxes ? .sidebar : .content
            } set: { column in
                if column == .detail { return }
                model.current?.opened = nil
                model.showsMailboxes = column == .sidebar
            }
        }
    }
#endif
