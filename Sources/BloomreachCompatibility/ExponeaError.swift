public import Foundation

/// The error of an invalid call. Any other failure is an `InboxError`.
public enum ExponeaError: LocalizedError, Hashable, Sendable {
    /// `Exponea.shared.configure` hasn't been called.
    case notConfigured
    /// Neither the device nor the server has such a message.
    case messageNotFound
    /// The push notification isn't JSON.
    case invalidPush

    /// A description in English.
    public var errorDescription: String? {
        switch self {
        case .notConfigured: "Call Exponea.shared.configure(_:) first."
        case .messageNotFound: "There is no such message."
        case .invalidPush: "The push notification isn't JSON."
        }
    }
}

/// Bloomreach's result type. Its failure may be any error.
public typealias Result<Success> = Swift.Result<Success, any Error>
