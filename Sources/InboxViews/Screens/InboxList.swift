#if canImport(SwiftUI)
    public import InboxModel
    public import SwiftUI

    /// A list of an inbox's messages: tabs, search, pull to refresh, swipe actions with undo, selection, keys, and
    /// older messages as the person scrolls.
    ///
    /// ``InboxScreen`` has it beside the message that is open. Alone it is the content of an app's own navigation:
    ///
    /// ```swift
    /// @State private var path: [String] = []
    ///
    /// var body: some View {
    ///     NavigationStack(path: $path) {
    ///         InboxList { message in path.append(message.id) }
    ///             .navigationDestination(for: String.self) { MessageDetail($0) }
    ///     }
    /// }
    /// ```
    ///
    /// The inbox comes from the environment. The focused message is opened with the return key and deleted with the
    /// delete key; the arrow keys move the focus.
    public struct InboxList<Placeholder: View>: View {
        /// The owner of the list's state.
        private enum Source {
            case app(InboxScreenModel)
            case view(surface: String?, open: @MainActor (Message) -> Void)
        }

        private let source: Source
        private let placeholder: (InboxPlaceholder) -> Placeholder
        @Environment(\.inbox) private var inbox
        @State private var cache = ModelCache<InboxScreenModel>()

        /// Creates a list of the environment's inbox, which has its state.
        ///
        /// - Parameters:
        ///   - surface: The surface that is shown; nil for all.
        ///   - open: Opens a message.
        ///   - placeholder: The view in place of messages.
        public init(
            surface: String? = nil,
            open: @escaping @MainActor (Message) -> Void,
            @ViewBuilder placeholder: @escaping (InboxPlaceholder) -> Placeholder
        ) {
            source = .view(surface: surface, open: open)
            self.placeholder = placeholder
        }

        /// Creates a list of a screen, whose state the app has.
        ///
        /// - Parameters:
        ///   - model: The state of the screen.
        ///   - placeholder: The view in place of messages.
        public init(
            _ model: InboxScreenModel,
            @ViewBuilder placeholder: @escaping (InboxPlaceholder) -> Placeholder
        ) {
            source = .app(model)
            self.placeholder = placeholder
        }

        /// The list.
        public var body: some View {
            switch source {
            case .app(let model): InboxListContent(model: model, placeholder: placeholder)
            case .view(let surface, let open):
                if let model = model(of: surface) {
                    InboxListContent(model: model, open: open, placeholder: placeholder)
                        // Another inbox has nothing of the one before.
                        .id(ObjectIdentifier(model))
                } else {
                    placeholder(.signedOut)
                }
            }
        }

        private func model(of surface: String?) -> InboxScreenModel? {
            cache.follow(inbox, surface) { InboxScreenModel($0, surface: surface) }
            return cache.model
        }
    }

    extension InboxList where Placeholder == InboxPlaceholderView {
        /// Creates a list of the environment's inbox, which has its state, with the default placeholders.
        ///
        /// - Parameters:
        ///   - surface: The surface that is shown; nil for all.
        ///   - open: Opens a message.
        public init(surface: String? = nil, open: @escaping @MainActor (Message) -> Void) {
            self.init(surface: surface, open: open) { InboxPlaceholderView($0) }
        }

        /// Creates a list of a screen, whose state the app has, with the default placeholders.
        ///
        /// - Parameter model: The state of the screen.
        public init(_ model: InboxScreenModel) {
            self.init(model) { InboxPlaceholderView($0) }
        }
    }
#endif
