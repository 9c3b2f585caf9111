import Foundation
import Groundwork
import Hummingbird
import InboxService
import Logging
import NIOHTTP1

/// The problems of requests that failed, and the log of unexpected failures. Those of the database are paced: while it
/// can't be reached, each request has one.
final class RequestFailures: Sendable {
    private let clock: any WallClock
    // Accessed only in `withLock`, from any thread.
    private let pace = Locked(Pace())

    private struct Pace: Sendable {
        private var usual = LogRateLimiter()
        /// Of a database without tables or rights: each entry says what to do. By SQLSTATE, so that a missing table
        /// doesn't hide a statement that is wrong.
        private var incomplete: [String: LogRateLimiter] = [:]

        mutating func admit(_ failure: StorageFailure, at now: Date) -> Int? {
            switch failure {
            case .incomplete(let state): incomplete[state, default: LogRateLimiter(burst: 1)].admit(at: now)
            case .full, .busy, .unknown: usual.admit(at: now)
            }
        }
    }

    init(clock: any WallClock) {
        self.clock = clock
    }

    /// Logs an unexpected failure, unless it is of the database and others like it were logged a moment ago.
    func record(
        _ error: any Error,
        _ logger: Logger,
        as message: Logger.Message = "a request failed",
        _ metadata: Logger.Metadata = [:]
    ) {
        var metadata = metadata
        metadata["error"] = "\(error)"
        if let failure = StorageFailure(error) {
            let now = clock.now
            guard let dropped = pace.withLock({ $0.admit(failure, at: now) }) else { return }
            if dropped > 0 { metadata["leftOut"] = "\(dropped)" }
        }
        logger.error(message, metadata: metadata)
    }

    /// Returns the problem that an error is for the client. Unexpected errors are logged.
    ///
    /// - Parameter isRead: Whether the request writes nothing.
    /// - Throws: The error itself if the client has disconnected or Hummingbird closes the connection.
    func problem(with error: any Error, isRead: Bool, _ logger: Logger) throws -> Problem {
        switch error {
        case let error as Problem:
            return error
        case let error as JSONValueError:
            return Problem(error)
        case let error as JSONSyntaxError:
            return Problem(error)
        case let error as any HTTPResponseError:
            return Problem(error.status, Self.detail(of: error.status))
        case is CancellationError:
            throw error
        case is HTTPParserError:
            // The client's bytes aren't HTTP, or it disconnected during the request.
            throw error
        default:
            record(error, logger)
            if let failure = StorageFailure(error) { return Problem(failure, isRead: isRead) }
            return Problem(.internalServerError, "The server failed to process the request. Try again later.")
        }
    }

    private static func detail(of status: HTTPResponse.Status) -> String {
        switch status {
        case .notFound: "There is nothing at this address."
        case .contentTooLarge: "The body is too large."
        default: "The request can't be processed."
        }
    }
}
