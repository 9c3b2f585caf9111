#if canImport(SwiftUI)
    import InboxCards
    import InboxClient
    public import SwiftUI

    /// An inbox on screen: the list, and the message that is open in a navigation stack, beside it on wide screens.
    ///
    /// ```swift
    /// @main struct MyApp: App {
    ///     @State private var inbox: Inbox?
    ///     @State private var failure: String?
    ///
    ///     var body: some Scene {
    ///         WindowGroup {
    ///             InboxScreen().inbox(inbox)
    ///                 .overlay { if let failure { Text(failure) } }
    ///                 .task {
    ///                     do {
    ///                         inbox = try await Inbox.open(server: url, person: "alice") {
    ///                             try await myBackend.inboxToken()
    ///                         }
    ///                     } catch {
    ///                         failure = error.localizedDescription
    ///                     }
    ///                 }
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// The inbox comes from the environment, the look from ``SwiftUICore/View/inboxCardStyle(_:)`` and its like.
    public struct InboxScreen<Placeholder: View>: View {
        private let surface: String?
        private let placeholder: (InboxPlaceholder) -> Placeholder
        @Environment(\.inbox) private var inbox
        @Environment(\.inboxTexts) private var texts
        @State private var cache = ModelCache<InboxScreenModel>()

        /// Creates a screen for the inbox of the environment.
        ///
        /// - Parameters:
        ///   - surface: The surface that is shown; nil for all.
        ///   - placeholder: The view in place of messages.
        public init(
            surface: String? = nil,
            @ViewBuilder placeholder: @escaping (InboxPlaceholder) -> Placeholder
        ) {
            self.surface = surface
            self.placeholder = placeholder
        }

        /// The screen.
        public var body: some View {
            if let model {
                InboxSplit(model: model, placeholder: placeholder)
            } else {
                placeholder(.signedOut)
            }
        }

        private var model: InboxScreenModel? {
            let surface = surface
            cache.follow(inbox, surface) { InboxScreenModel($0, surface: surface) }
            return cache.model
        }
    }

    extension InboxScreen where Placeholder == InboxPlaceholderView {
        /// Creates a screen with the default placeholders.
        ///
        /// - Parameter surface: The surface that is shown; nil for all.
        public init(surface: String? = nil) {
            self.init(surface: surface) { InboxPlaceholderView($0) }
        }
    }

    private struct InboxSplit<Placeholder: View>: View {
        let model: InboxScreenModel
        let placeholder: (InboxPlaceholder) -> Placeholder
        @Environment(\.inboxTexts) private var texts

        var body: some View {
            NavigationSplitView(preferredCompactColumn: column) {
                InboxListContent(model: model, placeholder: placeholder)
                    .navigationTitle(texts[.inbox])
            } detail: {
                if let id = model.opened {
                    MessageDetail(id, of: model).inbox(model.inbox).id(id)
                } else {
                    Image(systemName: "tray").font(.largeTitle).foregroundStyle(.secondary).accessibilityHidden(true)
                }
            }
        }

        /// On narrow screens the open message covers the list, and going back closes it.
        private var column: Binding<NavigationSplitViewColumn> {
            Binding {
                model.opened == nil ? .sidebar : .detail
            } set: { column in
                if column == .sidebar { model.opened = nil }
            }
        }
    }
#endif
