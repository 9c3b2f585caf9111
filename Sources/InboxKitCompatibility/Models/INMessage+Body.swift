import InboxMail
public import InboxMailViews

extension INMessage {
    /// Returns the state of a screen with the mail's body: cleaned HTML or text, with quotations folded and pictures on
    /// the web hidden. It begins to load at once. `INMessageContentView` shows it; in SwiftUI `MailBodyView` does.
    public func newBodyModel() -> MailBodyModel { MailBodyModel(value, in: namespace.mail) }
}
