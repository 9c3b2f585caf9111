public import Foundation

/// The result of a check whether the mail server sends what it holds, at its time and not before, and doesn't send what
/// was taken back.
///
/// A server that accepts a mail for later may never send it: Cyrus does so where its daemon `calalarmd` doesn't run. So
/// this device has a server hold mails only after a check.
public struct HeldSendingCheck: Hashable, Sendable, Codable {
    /// Whether it does. ``Mail/send(_:later:)`` has the server hold mails from then on.
    public let isVerified: Bool
    /// The reason for which it isn't verified; nil if it is.
    public let reason: String?
    /// The time of the check.
    public let checkedAt: Date
    /// The longest time for which the server says that it holds a mail, in seconds.
    public let longest: TimeInterval

    /// - Parameter reason: Nil if it is verified.
    init(reason: String?, checkedAt: Date, longest: TimeInterval) {
        (isVerified, self.reason, self.checkedAt, self.longest) = (reason == nil, reason, checkedAt, longest)
    }

    static let setting = "mail held sending"
}
