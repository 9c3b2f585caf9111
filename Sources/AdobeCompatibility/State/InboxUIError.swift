public import Foundation
import InboxClient

/// The reason why an ``InboxUI`` has nothing to show, or couldn't be refreshed. The numbers are Adobe's.
/// ``InboxUI/failure`` has the client's error with the details.
public enum InboxUIError: Int, LocalizedError, Hashable, Sendable, CaseIterable {
    /// There is no data for the surface: the backend has neither messages nor settings, or it couldn't be asked, as
    /// without a network.
    case dataUnavailable = 1
    /// The surface has messages but no settings, which ``InboxUI/requiresSettings`` demands.
    case inboxSchemaDataNotFound = 2
    /// The surface's settings can't be read.
    case invalidInboxSchemaData = 3
    /// Any other reason: no inbox was set at launch (``InboxUI/defaultInbox``), it was closed, or the device's store
    /// can't be read.
    case inboxCreationFailed = 4

    /// Creates Adobe's error for a failure of the client.
    init(_ failure: any Error) {
        if let error = failure as? InboxUIError {
            self = error
            return
        }
        switch (failure as? InboxClient.InboxError)?.code {
        case InboxClient.InboxError.Code.closed?, .storage?, .damaged?, .diskFull?, .newerVersion?, .invalidArgument?,
            nil:
            self = .inboxCreationFailed
        default: self = .dataUnavailable
        }
    }

    /// The problem and how to fix it.
    public var errorDescription: String? {
        switch self {
        case .dataUnavailable:
            """
            The surface has no messages and settings, or the server couldn't be asked. Check the surface's name, \
            whether the backend has sent messages to it, and the network.
            """
        case .inboxSchemaDataNotFound: "The surface has no settings. Set them with PUT /v1/surfaces/{id}."
        case .invalidInboxSchemaData: "The surface's settings can't be read."
        case .inboxCreationFailed:
            "There is no inbox to show. Set InboxUI.defaultInbox at launch, or pass an inbox that is open."
        }
    }
}
