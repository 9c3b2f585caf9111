#if canImport(SwiftUI)
    import Foundation
    public import InboxCards
    public import InboxClient
    public import SwiftUI

    extension EnvironmentValues {
        /// The inbox of the views and property wrappers below; nil until one is set, and after sign-out. They show
        /// nothing without one.
        public var inbox: Inbox? {
            get { self[InboxKey.self] }
            set { self[InboxKey.self] = newValue }
        }

        /// The texts of the views below, in the person's language.
        public var inboxTexts: CardTexts {
            get { self[TextsKey.self] ?? CardTexts(preferring: Locale.preferredLanguages) }
            set { self[TextsKey.self] = newValue }
        }

        /// Opens the links of the messages below; nil for the system.
        public var inboxLinkOpener: LinkOpener? {
            get { self[LinkOpenerKey.self] }
            set { self[LinkOpenerKey.self] = newValue }
        }

        var inboxCardStyle: any InboxCardStyle {
            get { self[CardStyleKey.self] }
            set { self[CardStyleKey.self] = newValue }
        }

        var inboxRetry: InboxRetry? {
            get { self[RetryKey.self] }
            set { self[RetryKey.self] = newValue }
        }

        var inboxUnreadIndicator: InboxUnreadIndicator {
            get { self[UnreadIndicatorKey.self] }
            set { self[UnreadIndicatorKey.self] = newValue }
        }
    }

    private struct InboxKey: EnvironmentKey {
        static var defaultValue: Inbox? { nil }
    }

    private struct TextsKey: EnvironmentKey {
        static var defaultValue: CardTexts? { nil }
    }

    private struct LinkOpenerKey: EnvironmentKey {
        static var defaultValue: LinkOpener? { nil }
    }

    private struct CardStyleKey: EnvironmentKey {
        static var defaultValue: any InboxCardStyle { DefaultInboxCardStyle() }
    }

    private struct RetryKey: EnvironmentKey {
        static var defaultValue: InboxRetry? { nil }
    }

    private struct UnreadIndicatorKey: EnvironmentKey {
        static var defaultValue: InboxUnreadIndicator { .automatic }
    }

    extension View {
        /// Sets the inbox of the views and property wrappers below.
        ///
        /// ```swift
        /// InboxScreen().inbox(inbox)
        /// ```
        ///
        /// - Parameter inbox: The inbox; nil after sign-out.
        public func inbox(_ inbox: Inbox?) -> some View { environment(\.inbox, inbox) }

        /// Sets the texts of the inbox's views below. By default they are in the device's language.
        public func inboxTexts(_ texts: CardTexts) -> some View { environment(\.inboxTexts, texts) }

        /// Sets the opener of links for the messages below. By default the system opens them.
        public func inboxLinkOpener(_ opener: LinkOpener) -> some View { environment(\.inboxLinkOpener, opener) }

        /// Sets the look of the cards below.
        public func inboxCardStyle(_ style: some InboxCardStyle) -> some View { environment(\.inboxCardStyle, style) }

        /// Sets the unread indicator of the cards below. By default it is the one of the surface's settings.
        public func inboxUnreadIndicator(_ indicator: InboxUnreadIndicator) -> some View {
            environment(\.inboxUnreadIndicator, indicator)
        }
    }
#endif
