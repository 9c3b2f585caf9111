#if canImport(SwiftUI)
    import InboxCards
    import InboxMail
    import InboxViews
    public import SwiftUI

    /// A list of accounts with their mailboxes. A tap shows the threads of one.
    public struct MailboxList: View {
        private let model: MailAccountsModel
        @Environment(\.mailSession) private var session
        @Environment(\.inboxTexts) private var texts

        /// Creates a list of the accounts' mailboxes.
        ///
        /// - Parameter model: The accounts.
        public init(_ model: MailAccountsModel) { self.model = model }

        /// The list.
        public var body: some View {
            List {
                ForEach(model.accounts) { account in
                    AccountRows(account: account, model: model, isNamed: model.accounts.count > 1)
                }
            }
            .listStyle(.plain)
            .refreshable { [model] in await model.refresh() }
            .navigationTitle(title)
            .toolbar {
                ToolbarItem(placement: .primaryAction) {
                    if let session { accountMenu(session) }
                }
            }
        }

        private func accountMenu(_ session: MailSessionModel) -> some View {
            Menu(texts[.accounts], systemImage: "person.crop.circle") {
                Button(texts[.addAccount], systemImage: "plus") { session.beginSignIn() }
                ForEach(model.accounts) { account in
                    // The address that the person has signed in with: a server may name the account otherwise.
                    Button(
                        "\(texts[.signOut]): \(account.mail.user)",
                        systemImage: "rectangle.portrait.and.arrow.right"
                    ) {
                        Task { await session.signOut(of: account.mail) }
                    }
                }
            }
        }

        private var title: String {
            model.accounts.count == 1 ? model.accounts[0].mailboxes.name : texts[.mailboxes]
        }
    }

    /// The rows of an account.
    private struct AccountRows: View {
        let account: MailScreenModel
        let model: MailAccountsModel
        let isNamed: Bool
        @Environment(\.mailWriting) private var writing
        @Environment(\.inboxTexts) private var texts

        var body: some View {
            let mailboxes = account.mailboxes
            Group {
                if isNamed {
                    Text(mailboxes.name)
                        .font(.headline)
                        .lineLimit(1)
                        .accessibilityAddTraits(.isHeader)
                        .listRowSeparator(.hidden)
                }
                MailConnectionStatus(model: mailboxes.connection, mail: account.mail)
                switch mailboxes.state {
                case .loading: MailPlaceholderView(.loading(mailboxes.progress))
                case .failed(let error): MailPlaceholderView(.failed(error)) { await mailboxes.refresh() }
                case .loaded:
                    ForEach(mailboxes.rows) { row in view(of: row) }
                    if let writing, !account.outbox.items.isEmpty { outbox(writing) }
                }
            }
        }

        private func outbox(_ writing: MailWritingModel) -> some View {
            let (count, label) = (account.outbox.items.count, texts[.outbox])
            return Button {
                writing.show(account.outbox)
            } label: {
                HStack(spacing: 12) {
                    Image(systemName: account.outbox.badge > 0 ? "exclamationmark.triangle" : "tray.and.arrow.up")
                        .frame(minWidth: 24)
                        .accessibilityHidden(true)
                    Text(label).foregroundStyle(Color.primary).lineLimit(2)
                    Spacer()
                    Text(count.formatted(.number.locale(texts.locale)))
                        .foregroundStyle(.secondary)
                        .accessibilityHidden(true)
                }
                .frame(maxWidth: .infinity, alignment: .leading)
            }
            .accessibilityLabel(label)
            .accessibilityValue(count.formatted(.number.locale(texts.locale)))
        }

        private func view(of row: MailboxRow) -> some View {
            Button {
                model.show(row.place, of: account)
            } label: {
                HStack(spacing: 12) {
                    Image(systemName: row.place.symbol).frame(minWidth: 24).accessibilityHidden(true)
                    Text(texts.name(of: row)).foregroundStyle(Color.primary).lineLimit(2)
                    Spacer()
                    if let count = row.count {
                        Text(count.formatted(.number.locale(texts.locale)))
                            .foregroundStyle(.secondary)
                            .accessibilityHidden(true)
                    }
                }
                .padding(.leading, CGFloat(row.depth) * 16)
                .frame(maxWidth: .infinity, alignment: .leading)
            }
            .accessibilityLabel(texts.name(of: row))
            .accessibilityValue(value(of: row))
            .accessibilityAddTraits(isShown(row) ? .isSelected : [])
            .listRowBackground(isShown(row) ? Color.accentColor.opacity(0.15) : Color.clear)
        }

        private func isShown(_ row: MailboxRow) -> Bool { model.current === account && account.place == row.place }

        private func value(of row: MailboxRow) -> String {
            guard let count = row.count else { return "" }
            return row.place.role == .drafts
                ? count.formatted(.number.locale(texts.locale)) : texts.unreadCount(count)
        }
    }
#endif
