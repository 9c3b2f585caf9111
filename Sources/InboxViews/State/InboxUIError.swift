public import Foundation

/// Why an ``InboxUI`` has nothing to show, where that isn't the connection (then it is an `InboxError` of the client).
/// The numbers are Adobe's.
public enum InboxUIError: Int, LocalizedError, Hashable, Sendable, CaseIterable {
    /// The backend knows nothing of the surface: neither messages nor settings.
    case dataUnavailable = 1
    /// There are messages, but no settings for the surface, and ``InboxUI/requiresSettings`` asks for some.
    case inboxSchemaDataNotFound = 2
    /// The surface's settings can't be read.
    case invalidInboxSchemaData = 3
    /// Anything else: no inbox was set at start (``InboxUI/defaultInbox``), or the device's store can't be read.
    case inboxCreationFailed = 4

    /// The problem and how to fix it.
    public var errorDescription: String? {
        switch self {
        case .dataUnavailable:
            "The surface has neither messages nor settings. Look at its name, and whether the backend has sent to it."
        case .inboxSchemaDataNotFound: "The surface has no settings. Set them with PUT /v1/surfaces/{id}."
        case .invalidInboxSchemaData: "The surface's settings can't be read."
        case .inboxCreationFailed:
            "There is no inbox to show. Set InboxUI.defaultInbox at start, or hand an inbox over."
        }
    }
}
