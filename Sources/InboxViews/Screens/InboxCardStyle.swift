#if canImport(SwiftUI)
    public import InboxCards
    public import InboxModel
    public import SwiftUI

    /// The look of a message's card.
    ///
    /// ```swift
    /// struct Plain: InboxCardStyle {
    ///     func makeBody(configuration: Configuration) -> some View {
    ///         configuration.content.padding().border(configuration.isUnread ? .blue : .gray)
    ///     }
    /// }
    ///
    /// struct Cards: View {
    ///     var body: some View {
    ///         InboxScreen().inboxCardStyle(Plain())
    ///     }
    /// }
    /// ```
    @MainActor @preconcurrency
    public protocol InboxCardStyle {
        /// The card's view.
        associatedtype Body: View

        /// The configuration of a card that a style draws.
        typealias Configuration = InboxCardStyleConfiguration

        /// Returns the card's view. Taps, swipes and accessibility are added to it.
        @ViewBuilder func makeBody(configuration: Configuration) -> Body
    }

    /// The configuration that an ``InboxCardStyle`` draws.
    public struct InboxCardStyleConfiguration {
        /// The parts of the card: image, texts, time and buttons.
        public struct Content: View {
            let element: CardElement
            let perform: @MainActor (ButtonElement) -> Void

            /// The parts, by the card's template.
            public var body: some View { ElementView(element: element, perform: perform) }
        }

        /// The message.
        public let message: Message
        /// The card, which the style may change before it draws the parts by ``content(_:)``.
        public let card: Card
        /// The parts of the card.
        public var content: Content { content(card) }
        /// Whether the message is unread.
        public var isUnread: Bool { card.isUnread }

        let perform: @MainActor (ButtonElement) -> Void

        /// Returns the parts of a changed card.
        public func content(_ card: Card) -> Content { Content(element: card.content, perform: perform) }
    }

    /// The unread indicator of cards.
    public enum InboxUnreadIndicator: Hashable, Sendable {
        /// The indicator of the surface's settings.
        case automatic
        /// A dot at the leading edge.
        case dot
        /// No indicator, for a style that draws its own.
        case hidden
    }

    /// The default look: the card's own background, corners and unread indicator.
    public struct DefaultInboxCardStyle: InboxCardStyle {
        /// Creates the style.
        public nonisolated init() {}

        /// Draws the parts over the card's background, with the unread indicator beside them.
        public func makeBody(configuration: Configuration) -> some View {
            DefaultCard(configuration: configuration)
        }
    }

    private struct DefaultCard: View {
        let configuration: InboxCardStyleConfiguration
        @Environment(\.inboxUnreadIndicator) private var indicator

        var body: some View {
            let card = configuration.card
            HStack(alignment: .top, spacing: 8) {
                if indicator == .dot {
                    Circle().fill(configuration.isUnread ? Color.accentColor : Color(CardColor.clear))
                        .frame(width: 10, height: 10)
                        .padding(.top, 4)
                        .accessibilityHidden(true)
                }
                UnreadMarkedContent(
                    configuration.content,
                    icon: indicator == .automatic ? card.unreadIcon : nil,
                    isUnread: card.isUnread
                )
            }
            .padding(EdgeInsets(card.padding))
            .frame(maxWidth: .infinity, alignment: .leading)
            .background { Color(card.background) }
            .clipShape(RoundedRectangle(cornerRadius: card.cornerRadius))
        }
    }

    extension Alignment {
        /// The corner of the unread indicator; the top trailing one by default.
        package init(_ corner: UnreadElement.Corner?) {
            self =
                switch corner {
                case .topLeading: .topLeading
                case .topTrailing, nil: .topTrailing
                case .bottomLeading: .bottomLeading
                case .bottomTrailing: .bottomTrailing
                }
        }
    }

    extension InboxCardStyle {
        /// The card with its type erased, for a style of the environment.
        func erasedBody(_ configuration: Configuration) -> AnyView { AnyView(makeBody(configuration: configuration)) }
    }
#endif
