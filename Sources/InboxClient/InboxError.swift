public import Foundation
public import Groundwork
import Replica

/// Why something about an inbox failed.
///
/// Neither messages nor tokens appear in its text.
public struct InboxError: LocalizedError, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure, to decide by. More may come in later versions.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Value: String {
            case invalidArgument, notConnected, timedOut, serverError, unauthorized, noToken, otherPerson, noPerson
            case invalidAnswer, storage, damaged, diskFull, otherProcess, closed, notIdentified
        }

        private let value: Value

        /// An argument isn't what it has to be; ``InboxError/description`` says which.
        public static let invalidArgument = Code(value: .invalidArgument)
        /// The server can't be reached. What is stored can be read; changes wait.
        public static let notConnected = Code(value: .notConnected)
        /// The server didn't answer in time.
        public static let timedOut = Code(value: .timedOut)
        /// The server answered with an error; it may work later.
        public static let serverError = Code(value: .serverError)
        /// The server doesn't take the token: sign in again. ``InboxError/tokenRefusal`` says why.
        public static let unauthorized = Code(value: .unauthorized)
        /// The app's closure threw instead of giving a token. A live inbox calls it again by itself; changes wait.
        public static let noToken = Code(value: .noToken)
        /// The token belongs to another person than the inbox was opened for, or the push says that it does.
        public static let otherPerson = Code(value: .otherPerson)
        /// The push doesn't say whose it is, and the app doesn't allow that
        /// (``InboxConfiguration/acceptsPushesWithoutPerson``).
        public static let noPerson = Code(value: .noPerson)
        /// The server's answer can't be read.
        public static let invalidAnswer = Code(value: .invalidAnswer)
        /// The file on this device can't be read or written.
        public static let storage = Code(value: .storage)
        /// The file on this device was found damaged. Close the inbox and open it again: it is rebuilt
        /// (``Inbox/repair``).
        public static let damaged = Code(value: .damaged)
        /// There is no space left on this device. Nothing has changed, and nothing is lost.
        public static let diskFull = Code(value: .diskFull)
        /// Another process keeps this inbox up to date and hasn't answered in time.
        public static let otherProcess = Code(value: .otherProcess)
        /// The inbox was closed, or the person signed out, here or in another process.
        public static let closed = Code(value: .closed)
        /// Nobody is identified, so there is no inbox: see ``CurrentInbox``.
        public static let notIdentified = Code(value: .notIdentified)

        /// The code's name.
        public var description: String { value.rawValue }
    }

    /// What kind of failure it is.
    public let code: Code
    /// What happened and what to do about it, in English.
    public let description: String
    /// The same as ``description``: it isn't translated.
    public var errorDescription: String? { description }
    /// How long the server wants to be left alone, in seconds.
    public let retryAfter: Double?
    /// Why the server doesn't take the token, with the code `unauthorized`; nil with every other.
    public let tokenRefusal: TokenRefusal?

    package init(
        _ code: Code,
        _ description: String,
        retryAfter: Double? = nil,
        tokenRefusal: TokenRefusal? = nil
    ) {
        self.code = code
        self.description = description
        self.retryAfter = retryAfter
        self.tokenRefusal = tokenRefusal
    }

    /// The public error for one from the floors below. Cancellation stays what it is.
    package static func wrapping(_ error: any Error) -> any Error {
        switch error {
        case let error as SyncError:
            InboxError(
                code(of: error),
                error.description,
                retryAfter: retryAfter(of: error),
                tokenRefusal: error.tokenRefusal
            )
        case let error as StoreError:
            InboxError(code(of: error), error.description)
        case let error as QueryError:
            InboxError(.invalidArgument, error.description)
        default: error
        }
    }

    private static func code(of error: StoreError) -> Code {
        switch error {
        case .closed: .closed
        case .damaged: .damaged
        case .full: .diskFull
        case .database, .directory: .storage
        }
    }

    private static func retryAfter(of error: SyncError) -> Double? {
        if case .status(_, let seconds, _) = error { seconds } else { nil }
    }

    private static func code(of error: SyncError) -> Code {
        switch error {
        case .transport(.timedOut): .timedOut
        case .transport(.tooLarge), .malformed: .invalidAnswer
        case .transport(.unreachable): .notConnected
        case .status, .method, .noAccount: .serverError
        case .unauthorized: .unauthorized
        case .noToken: .noToken
        case .otherPerson: .otherPerson
        case .otherProcess: .otherProcess
        }
    }
}
