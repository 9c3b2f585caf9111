#if canImport(SwiftUI)
    import InboxCards
    public import InboxClient
    public import SwiftUI

    /// The placeholder of a list without messages on screen.
    public enum InboxPlaceholder: Hashable, Sendable {
        /// The messages aren't known yet.
        case loading
        /// The tab has no messages.
        case empty(InboxScreenModel.Tab)
        /// No message matches the search.
        case noMatches
        /// The messages can't be loaded, for the given reason. A pull or the button of the default view tries again.
        case failed(InboxError)
        /// No inbox is in the environment: no person is signed in.
        case signedOut
    }

    /// The retry action of a placeholder.
    struct InboxRetry {
        private let body: @MainActor () async -> Void

        init(_ body: @escaping @MainActor () async -> Void) { self.body = body }

        @MainActor func callAsFunction() async { await body() }
    }

    /// The default view of an ``InboxPlaceholder``. In an ``InboxList``, an ``InboxScreen`` or a ``MessageDetail`` it
    /// has a button that tries again after a failure.
    public struct InboxPlaceholderView: View {
        private let placeholder: InboxPlaceholder
        @Environment(\.inboxRetry) private var retry
        @Environment(\.inboxTexts) private var texts

        /// Creates the view of a placeholder.
        ///
        /// - Parameter placeholder: The placeholder to show.
        public init(_ placeholder: InboxPlaceholder) { self.placeholder = placeholder }

        /// The view.
        public var body: some View {
            VStack(spacing: 12) {
                switch placeholder {
                case .loading:
                    ProgressView()
                    Text(texts[.loading])
                case .empty(let tab):
                    let empty = texts.emptyTexts(of: tab)
                    words(empty.title, empty.message)
                case .signedOut: words(texts[.emptyTitle], texts[.emptyMessage])
                case .noMatches: Text(texts[.noMatches])
                case .failed:
                    words(texts[.errorTitle], texts[.errorMessage])
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

        @ViewBuilder private func words(_ title: String, _ message: String?) -> some View {
            // Without the type it would be a level of the secondary color around.
            Text(title).font(.headline).foregroundStyle(Color.primary).accessibilityAddTraits(.isHeader)
            if let message { Text(message) }
        }
    }
#endif
