#if canImport(SwiftUI)
    public import InboxMail
    import InboxViews
    public import SwiftUI

    /// A list of an account's threads: search with highlighted matches, pull to refresh, swipe actions with undo,
    /// selection, keys, unread threads first if the person likes, and further threads as the person scrolls.
    ///
    /// ``MailScreen`` has it beside the mailboxes and the thread that is open. Alone it is the content of an app's own
    /// navigation:
    ///
    /// ```swift
    /// @State private var path: [String] = []
    ///
    /// var body: some View {
    ///     NavigationStack(path: $path) {
    ///         ThreadList { thread in path.append(thread.id) }
    ///             .navigationDestination(for: String.self) { ThreadScreen($0) }
    ///     }
    /// }
    /// ```
    ///
    /// The mail comes from the environment. The focused thread is opened with the return key and deleted with the
    /// delete key; the arrow keys move the focus.
    public struct ThreadList: View {
        /// The owner of the list's state.
        private enum Source {
            case app(MailScreenModel, open: (@MainActor (MailThread) -> Void)?)
            case view(MailboxSelection, open: @MainActor (MailThread) -> Void)
        }

        private let source: Source
        @Environment(\.mail) private var mail
        @State private var cache = ModelCache<MailScreenModel>()

        /// Creates a list of the environment's mail, which has its state.
        ///
        /// - Parameters:
        ///   - place: The threads that are shown.
        ///   - open: Opens a thread.
        public init(in place: MailboxSelection = .inbox, open: @escaping @MainActor (MailThread) -> Void) {
            source = .view(place, open: open)
        }

        /// Creates a list of a screen, whose state the app has.
        ///
        /// - Parameters:
        ///   - model: The state of the screen.
        ///   - open: Opens a thread; nil for the screen's ``MailScreenModel/opened``.
        public init(_ model: MailScreenModel, open: (@MainActor (MailThread) -> Void)? = nil) {
            source = .app(model, open: open)
        }

        /// The list.
        public var body: some View {
            switch source {
            case .app(let model, let open): ThreadListContent(model: model, open: open).id(ObjectIdentifier(model))
            case .view(let place, let open):
                if let model = model(of: place) {
                    ThreadListContent(model: model, open: open)
                        // Another account has nothing of the one before.
                        .id(ObjectIdentifier(model))
                } else {
                    MailPlaceholderView(.signedOut)
                }
            }
        }

        private func model(of place: MailboxSelection) -> MailScreenModel? {
            cache.follow(mail, place.id) { MailScreenModel($0, place: place) }
            return cache.model
        }
    }
#endif
