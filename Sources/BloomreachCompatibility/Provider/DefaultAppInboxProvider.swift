public import Foundation

/// The default parts of the inbox's screens, with a style and texts. An app overrides the parts that it changes.
///
/// ```swift
/// import BloomreachCompatibility
/// import UIKit
///
/// final class ExampleAppInboxProvider: DefaultAppInboxProvider {
///     override func getAppInboxButton() -> UIButton {
///         let button = super.getAppInboxButton()
///         button.layer.cornerRadius = 4
///         return button
///     }
/// }
/// ```
@MainActor
open class DefaultAppInboxProvider: AppInboxProvider {
    /// The style of parts that are made from now on.
    public var style: AppInboxStyle
    /// The texts of parts that are made from now on.
    public var texts: AppInboxTexts

    private let client: Exponea

    /// Creates a provider with the default style and the app's texts.
    public init() { (client, style, texts) = (.shared, AppInboxStyle(), AppInboxTexts()) }

    /// Creates a provider.
    ///
    /// - Parameters:
    ///   - style: The style of the parts.
    ///   - texts: The texts. By default those of the app's `Localizable.strings`, or else in English.
    public init(style: AppInboxStyle, texts: AppInboxTexts = AppInboxTexts()) {
        (client, self.style, self.texts) = (.shared, style, texts)
    }

    package init(_ client: Exponea, style: AppInboxStyle = AppInboxStyle(), texts: AppInboxTexts = AppInboxTexts()) {
        (self.client, self.style, self.texts) = (client, style, texts)
    }

    /// Returns a new button with an icon, the text `exponea.inbox.button` and the number of unread messages. A tap
    /// opens the list.
    open func getAppInboxButton() -> AppInboxButton {
        let model = AppInboxButtonModel(client, style: style, texts: texts)
        #if canImport(UIKit)
            return AppInboxButtonView(model)
        #else
            return model
        #endif
    }

    /// Returns a new screen with the list: an `AppInboxListViewController`.
    open func getAppInboxListViewController() -> AppInboxScreen {
        let model = AppInboxListModel(client, style: style, texts: texts)
        #if canImport(UIKit)
            return AppInboxListViewController(model)
        #else
            return model
        #endif
    }

    /// Returns a new screen of a message: an `AppInboxDetailViewController`. The message may be unknown to the device.
    open func getAppInboxDetailViewController(_ messageId: String) -> AppInboxScreen {
        let model = AppInboxDetailModel(messageId, client, style: style, texts: texts)
        #if canImport(UIKit)
            return AppInboxDetailViewController(model)
        #else
            return model
        #endif
    }

    /// Returns the row unchanged.
    open func getAppInboxListTableViewCell(_ cell: AppInboxCell) -> AppInboxCell { cell }
}

/// The default parts with a style.
///
/// ```swift
/// let style = AppInboxStyle(appInboxButton: ButtonStyle(backgroundColor: "#FFD500", borderRadius: "4px"))
/// Exponea.shared.appInboxProvider = StyledAppInboxProvider(style)
/// ```
open class StyledAppInboxProvider: DefaultAppInboxProvider {
    /// Creates a provider with a style.
    public init(_ style: AppInboxStyle) { super.init(style: style) }

    /// Creates a provider with a style as JSON. Values without effect are logged as warnings.
    ///
    /// - Throws: ``AppInboxStyleProblem`` as `AppInboxStyle.init(json:report:)`.
    public convenience init(json: Data) throws(AppInboxStyleProblem) {
        self.init(
            try AppInboxStyle(json: json) { problem in
                Exponea.logger.log(.warning, message: "App Inbox style: \(problem)")
            }
        )
    }
}
