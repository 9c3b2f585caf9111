public import Foundation
import Groundwork

/// A failure of a replica: of its file, of its server, or of an argument.
///
/// Its text contains neither records nor tokens.
public struct ReplicaError: LocalizedError, Hashable, Sendable, CustomStringConvertible {
    /// The kind of a failure. Libraries built on a replica add kinds of their own, and later versions may add more.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private let name: String

        /// - Parameter name: The code's description. Codes with the same name are equal.
        package init(_ name: String) { self.name = name }

        /// An argument is invalid. ``ReplicaError/description`` names it.
        public static let invalidArgument = Code("invalidArgument")
        /// The server can't be reached. Stored records can be read; changes wait until it can.
        public static let notConnected = Code("notConnected")
        /// The server didn't answer in time.
        public static let timedOut = Code("timedOut")
        /// The server answered with an error. A later attempt may succeed.
        public static let serverError = Code("serverError")
        /// The server rejected the token: sign in again. ``ReplicaError/tokenRefusal`` has the reason.
        public static let unauthorized = Code("unauthorized")
        /// The app's closure threw an error instead of returning a token. A live connection calls it again. Changes
        /// wait until then.
        public static let noToken = Code("noToken")
        /// The token belongs to a person other than the store's, or a push is for another person.
        public static let otherPerson = Code("otherPerson")
        /// The server's answer is invalid.
        public static let invalidAnswer = Code("invalidAnswer")
        /// The file on this device can't be read or written.
        public static let storage = Code("storage")
        /// The file on this device is damaged. It is rebuilt when it is next opened.
        public static let damaged = Code("damaged")
        /// A newer version of the app has changed the file on this device, so this one can't use it. Nothing has
        /// changed, and nothing is lost.
        public static let newerVersion = Code("newerVersion")
        /// No space is left on this device. Nothing has changed, and nothing is lost.
        public static let diskFull = Code("diskFull")
        /// Another process syncs the same file and hasn't answered in time, or is writing to it and hasn't finished in
        /// time. Nothing has changed.
        public static let otherProcess = Code("otherProcess")
        /// Something that the person has written exists only on this device, and would be lost. Nothing has changed.
        public static let unsentDrafts = Code("unsentDrafts")
        /// The replica was closed, or the person signed out, in this process or in another one.
        public static let closed = Code("closed")

        /// The code's name.
        public var description: String { name }
    }

    /// The kind of the failure.
    public let code: Code
    /// A description in English: the failure, and how to fix it.
    public let description: String
    /// The same as ``description``. It isn't localized.
    public var errorDescription: String? { description }
    /// The wait that the server requested, in seconds.
    public let retryAfter: Double?
    /// The reason why the server rejected the token, with the code `unauthorized`. Nil with every other code.
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

    /// Returns the public error for an error of a lower layer. Other errors, such as a cancellation, are returned
    /// unchanged.
    package static func wrapping(_ error: any Error) -> any Error {
        switch error {
        case let error as SyncError:
            ReplicaError(
                code(of: error),
                error.description,
                retryAfter: error.retryAfter,
                tokenRefusal: error.tokenRefusal
            )
        case let error as StoreError:
            ReplicaError(code(of: error), error.description)
        case let error as QueryError:
            ReplicaError(.invalidArgument, error.description)
        default: error
        }
    }

    private static func code(of error: StoreError) -> Code {
        switch error {
        case .closed: .closed
        case .damaged: .damaged
        case .full: .diskFull
        case .busy: .otherProcess
        case .newer: .newerVersion
        case .unopened, .database, .directory: .storage
        }
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
