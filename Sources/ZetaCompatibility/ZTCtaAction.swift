public import Foundation
public import InboxModel

/// A button of a message.
#if canImport(ObjectiveC)
    @objcMembers
#endif
public final class ZTCtaAction: NSObject, Codable, Sendable {
    /// The label.
    public let text: String
    /// An identifier from the campaign's template; may be empty.
    public let type: String
    /// The value that a click reports; may be empty.
    public let value: String
    /// The link, a web address or a deep link into the app; may be empty.
    public let link: String
    /// The way in which ``link`` is opened: `webBrowser`, `externalBrowser`, or empty.
    public let actionType: String

    /// Creates Zeta's representation of an action.
    public init(_ action: MessageAction) {
        text = action.text
        type = action.type
        value = action.value
        link = action.link
        actionType = action.actionType.rawValue
    }
}
