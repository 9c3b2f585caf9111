import Foundation
import Groundwork
import JMAP

extension SyncError {
    /// Creates the error of a response whose status is one.
    init(of response: TransportResponse, at now: Date) {
        let problem = try? JSON(parsing: response.body)
        // A limit on concurrent requests, or on their rate, is temporary. A request that is too large can be split.
        let isRetryable =
            [429, 503].contains(response.status)
            || problem?["limit"]?.stringValue?.hasPrefix("maxConcurrent") ?? false
        if response.status == 401 {
            self = .unauthorized(TokenRefusal(problem: problem))
        } else if !isRetryable, let type = problem?["type"]?.stringValue,
            type.hasSuffix(":error:limit") || response.status == 413
        {
            self = .method(.requestTooLarge(problem?["detail"]?.stringValue ?? type))
        } else if response.status == 413 {
            self = .method(.requestTooLarge("status 413"))
        } else {
            self = .status(
                response.status,
                retryAfter: response.headers["retry-after"].flatMap { RetryAfter.seconds($0, now: now) },
                detail: problem?["detail"]?.stringValue
            )
        }
    }
}

extension TokenRefusal {
    /// Creates the refusal that a problem document describes; nil if the response had none.
    init(problem: JSON?) {
        self.init(problem: problem?["type"]?.stringValue, detail: problem?["detail"]?.stringValue)
    }
}
