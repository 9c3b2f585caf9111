public import Foundation

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
