#if canImport(SwiftUI)
    import InboxCards
    public import SwiftUI

    /// A button that opens the inbox, with the number of unread messages.
    public struct InboxButton: View {
        private let action: @MainActor () -> Void
        @UnreadCount private var unread: Int
        @Environment(\.inboxTexts) private var texts

        /// Creates a button.
        ///
        /// - Parameters:
        ///   - surface: The surface whose unread messages are counted; nil for all.
        ///   - action: Opens the inbox.
        public init(surface: String? = nil, action: @escaping @MainActor () -> Void) {
            self.action = action
            _unread = UnreadCount(surface: surface)
        }

        /// The button.
        public var body: some View {
            Button(action: action) {
                Image(systemName: "tray")
                    .padding(.all, 8)
                    .overlay(alignment: .topTrailing) {
                        if unread > 0 {
                            Text(unread > 99 ? "99+" : unread.formatted())
                                .font(.caption2)
                                .foregroundStyle(Color.white)
                                .padding(.horizontal, 4)
                                .frame(minWidth: 16, minHeight: 16)
                                .background { Capsule().fill(Color.red) }
                        }
                    }
            }
            .accessibilityLabel(texts[.inbox])
            .accessibilityValue(texts.unreadCount(unread))
        }
    }
#endif
