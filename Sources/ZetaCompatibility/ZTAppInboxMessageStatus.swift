public import Foundation
public import InboxModel

/// The status of a message.
#if canImport(ObjectiveC)
    @objc
#endif
public enum ZTAppInboxMessageStatus: Int, Sendable, CaseIterable {
    /// Neither read nor deleted.
    case unread
    /// Read.
    case read
    /// Deleted.
    case deleted

    /// Creates Zeta's representation of a status.
    public init(_ status: MessageStatus) {
        self =
            switch status {
            case .unread: .unread
            case .read: .read
            case .deleted: .deleted
            }
    }
}

extension ZTAppInboxMessageStatus: Codable {
    /// Reads `READ`, `UNREAD` or `DELETED`.
    ///
    /// - Throws: `DecodingError` if the value isn't a string.
    public init(from decoder: any Decoder) throws {
        self = ZTAppInboxMessageStatusHelper.status(from: try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes `READ`, `UNREAD` or `DELETED`.
    ///
    /// - Throws: The encoder's errors.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(ZTAppInboxMessageStatusHelper.string(from: self))
    }
}

/// Conversion of statuses to text and back.
public final class ZTAppInboxMessageStatusHelper: NSObject {
    /// Returns `READ`, `UNREAD` or `DELETED`.
    #if canImport(ObjectiveC)
        @objc(stringForStatus:)
    #endif
    public static func string(from status: ZTAppInboxMessageStatus) -> String {
        switch status {
        case .unread: MessageStatus.unread.rawValue
        case .read: MessageStatus.read.rawValue
        case .deleted: MessageStatus.deleted.rawValue
        }
    }

    /// Returns the status of a text: ``ZTAppInboxMessageStatus/unread`` for any other than `READ` and `DELETED`.
    #if canImport(ObjectiveC)
        @objc(statusForString:)
    #endif
    public static func status(from string: String) -> ZTAppInboxMessageStatus {
        MessageStatus(rawValue: string).map(ZTAppInboxMessageStatus.init) ?? .unread
    }
}
