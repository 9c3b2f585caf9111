public import Foundation

/// The attempts to send a mail since the person's order, when it can't be known whether one of them has sent it.
public struct SendingAttempts: Hashable, Sendable, Codable {
    /// The mail on the server after the last request. None of these shows whether it was sent.
    public enum Finding: String, Hashable, Sendable, Codable {
        /// The server had no mail with the `Message-ID`. It may have been sent, and removed since.
        case missing
        /// The server had the mail, not among the sent ones, and no submission of it. Not every server keeps
        /// submissions.
        case unsubmitted
        /// The server held the mail until its time (``DraftHolder/server``), and has no submission of it any more.
        case submissionGone
    }

    /// The `Message-ID` of the mail, without angle brackets: the same in each attempt, and with the recipients if it
    /// was sent.
    public internal(set) var messageID: String
    /// The number of requests to send it, or to hold it until its time.
    public internal(set) var requestCount: Int
    /// The time of the first request.
    public internal(set) var firstRequestAt: Date
    /// The time of the last request.
    public internal(set) var lastRequestAt: Date
    /// The number of answers since the last request that left it open: the server was searched for mails with the
    /// `Message-ID` in all mailboxes, and asked for their submissions.
    public internal(set) var checkCount = 0
    /// The result of the last check; nil if there was none.
    public internal(set) var finding: Finding?
    /// The last failure of a request, in words. It may contain the server's own. Nil if none was recorded, such as
    /// when the app ended before the answer came.
    public internal(set) var failure: String?
}
