public import Foundation

/// What can be wrong with a call; whatever else fails is an `InboxError`.
public enum ExponeaError: LocalizedError, Hashable, Sendable {
    /// `Exponea.shared.configure` hasn't been called.
    case notConfigured
    /// Neither the device nor the server has such a message.
    case messageNotFound

    /// What is wrong, in English.
    public var errorDescription: String? {
        switch self {
        case .notConfigured: "Call Exponea.shared.configure(_:) first."
        case .messageNotFound: "There is no such message."
        }
    }
}

/// Bloomreach's results: any error may be the failure.
public typealias Result<Success> = Swift.Result<Success, any Error>
