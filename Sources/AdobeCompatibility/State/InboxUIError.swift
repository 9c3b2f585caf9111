public import Foundation

/// The reason why an ``InboxUI`` has nothing to show. Connection failures are reported as the client's `InboxError`
/// instead. The numbers are Adobe's.
public enum InboxUIError: Int, LocalizedError, Hashable, Sendable, CaseIterable {
    /// The backend has neither messages nor settings for the surface.
    case dataUnavailable = 1
    /// The surface has messages but no settings, which ``InboxUI/requiresSettings`` demands.
    case inboxSchemaDataNotFound = 2
    /// The surface's settings can't be read.
    case invalidInboxSchemaData = 3
    /// Any other reason: no inbox was set at launch (``InboxUI/defaultInbox``), or the device's store can't be read.
    case inboxCreationFailed = 4

    /// The problem and how to fix it.
    public var errorDescription: String? {
        switch self {
        case .dataUnavailable:
            "The surface has neither messages nor settings. Check its name, and whether the backend has sent messages to it."
        case .inboxSchemaDataNotFound: "The surface has no settings. Set them with PUT /v1/surfaces/{id}."
        case .invalidInboxSchemaData: "The surface's settings can't be read."
        case .inboxCreationFailed:
            "There is no inbox to show. Set InboxUI.defaultInbox at launch, or pass an inbox."
        }
    }
}
