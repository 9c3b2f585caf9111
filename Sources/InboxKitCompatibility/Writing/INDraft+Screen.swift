public import InboxMailViews

extension INDraft {
    /// Returns the state of a screen that writes this draft, with the changes that aren't saved yet. `ComposeScreen`
    /// shows it, and in UIKit `INComposeViewController`.
    ///
    /// The screen keeps what is written, and sends it. This object follows.
    public func composeModel() -> ComposeModel { ComposeModel(.draft(value), in: namespace.mail) }
}
