#if canImport(SwiftUI)
    import InboxCards
    public import InboxMail
    import InboxViews
    public import SwiftUI

    /// The placeholder of a list of mail without threads on screen.
    public enum MailPlaceholder: Hashable, Sendable {
        /// The threads aren't known yet. During the first sync with its progress.
        case loading(Mail.Progress?)
        /// The place has no threads.
        case empty(MailboxSelection)
        /// No mail matches the search.
        case noMatches
        /// The threads can't be loaded, for the given reason.
        case failed(MailError)
        /// No mail is in the environment: no person is signed in.
        case signedOut
        /// The thread was deleted.
        case gone
    }

    /// The view of a ``MailPlaceholder``.
    public struct MailPlaceholderView: View {
        private let placeholder: MailPlaceholder
        private let retry: (@MainActor () async -> Void)?
        @Environment(\.inboxTexts) private var texts

        /// Creates the view of a placeholder.
        ///
        /// - Parameters:
        ///   - placeholder: The placeholder to show.
        ///   - retry: The action of the retry button; nil for no button.
        public init(_ placeholder: MailPlaceholder, retry: (@MainActor () async -> Void)? = nil) {
            (self.placeholder, self.retry) = (placeholder, retry)
        }

        /// The view.
        public var body: some View {
            VStack(spacing: 12) {
                switch placeholder {
                case .loading(let progress):
                    ProgressView().accessibilityHidden(true)
                    Text(
                        progress.map { "\(texts[.fetchingMail]): \(number($0.done)) / \(number($0.total))" } ?? loading
                    )
                case .empty: Text(texts[.emptyMailbox])
                case .noMatches: Text(texts[.noMatches])
                case .signedOut: Text(texts[.emptyMailbox])
                case .gone: Text(texts[.threadGone])
                case .failed:
                    // Without the type it would be a level of the secondary color around.
                    Text(texts[.errorTitle]).font(.headline).foregroundStyle(Color.primary)
                        .accessibilityAddTraits(.isHeader)
                    Text(texts[.errorMessage])
                    if let retry {
                        Button(texts[.tryAgain]) { Task { await retry() } }.buttonStyle(.bordered)
                    }
                }
            }
            .multilineTextAlignment(.center)
            .foregroundStyle(.secondary)
            .frame(maxWidth: .infinity)
            .padding()
        }

        private var loading: String { texts[.loading] }

        private func number(_ number: Int) -> String { number.formatted(.number.locale(texts.locale)) }
    }

    /// A line that is shown when the server of an account can't be reached, or when the person has to sign in again,
    /// with the button that does. It takes no space otherwise.
    struct MailConnectionStatus: View {
        let model: ConnectionModel
        let mail: Mail
        @Environment(\.inboxTexts) private var texts
        @Environment(\.mailSignIn) private var signIn

        var body: some View {
            if let notice = model.notice {
                VStack(spacing: 0) {
                    ConnectionNoticeView(notice, texts)
                    if case .signInNeeded = notice, let signIn {
                        Button(texts[.signIn]) { signIn.body(mail) }
                            .buttonStyle(.bordered)
                            .padding(.bottom, 8)
                    }
                }
            }
        }
    }
#endif
