import Foundation
import InboxClient

/// The screens.
extension Exponea {
    /// Makes the parts of the screens. It can be replaced at any time; each part that is needed from then on is the new
    /// one's. By default a ``DefaultAppInboxProvider``.
    @MainActor
    public var appInboxProvider: any AppInboxProvider {
        get {
            if let provider { return provider }
            let provider = DefaultAppInboxProvider(self)
            self.provider = provider
            return provider
        }
        set { provider = newValue }
    }

    /// Returns the provider's button, or nil before ``configure(_:)``.
    @MainActor
    public func getAppInboxButton() -> AppInboxButton? {
        guard isConfigured else {
            Self.logger.log(.error, message: ExponeaError.notConfigured.localizedDescription)
            return nil
        }
        return appInboxProvider.getAppInboxButton()
    }

    /// Returns the provider's screen with the list.
    @MainActor
    public func getAppInboxListViewController() -> AppInboxScreen { appInboxProvider.getAppInboxListViewController() }

    /// Returns the provider's screen with the list, with another action of a tap on a row.
    ///
    /// - Parameter onItemClicked: Called with the message and the row's index in place of the default behavior, as
    ///   ``AppInboxListModel/onItemClickedOverride``. It has no effect on a screen that isn't the default one.
    @MainActor
    public func getAppInboxListViewController(
        onItemClicked: @escaping @MainActor (MessageItem, Int) -> Void
    ) -> AppInboxScreen {
        let screen = getAppInboxListViewController()
        #if canImport(UIKit)
            (screen as? AppInboxListViewController)?.onItemClickedOverride = onItemClicked
        #else
            (screen as? AppInboxListModel)?.onItemClickedOverride = onItemClicked
        #endif
        return screen
    }

    /// Returns the provider's screen of a message.
    @MainActor
    public func getAppInboxDetailViewController(_ messageId: String) -> AppInboxScreen {
        appInboxProvider.getAppInboxDetailViewController(messageId)
    }

    /// Shows the provider's list, as a tap on the button does.
    @MainActor
    public func openAppInbox() {
        let screen = getAppInboxListViewController()
        if let appInboxPresenter { return appInboxPresenter(screen) }
        #if canImport(UIKit)
            screen.presentOverAll()
        #endif
    }

    /// The opener of links: the app's, or the system.
    @MainActor
    var linkOpener: LinkOpener? {
        #if canImport(UIKit)
            return appInboxLinkOpener ?? .system
        #else
            return appInboxLinkOpener
        #endif
    }
}
