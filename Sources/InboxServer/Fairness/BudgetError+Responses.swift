import Foundation
import Groundwork
import HTTPTypes
import Hummingbird
import InboxService
import JMAP

extension MethodError {
    /// Creates the error of a call that used up its request's budget. It names the limit and what to do instead.
    init(_ error: BudgetError, in call: Invocation) {
        func has(_ argument: String) -> Bool { call.arguments[argument].map { $0 != .null } ?? false }
        switch error.reason {
        case .time(let seconds, isSingleCall: true) where has("filter"):
            self = .unsupportedFilter(
                """
                the filter takes longer than \(Self.text(seconds)) s on this inbox; use fewer conditions, or narrow it \
                by date, surface or category. Conditions on body are the slowest
                """
            )
        case .time(let seconds, isSingleCall: true) where has("sort"):
            self = .unsupportedSort(
                """
                the sort takes longer than \(Self.text(seconds)) s on this inbox; sort by deliverAt, or narrow the \
                query with a filter
                """
            )
        case .time(let seconds, _):
            self = .requestTooLarge(
                """
                The calls of one request may read for at most \(Self.text(seconds)) s in total. Split them into \
                several requests.
                """
            )
        case .rows(let limit):
            self = .requestTooLarge(
                "The response to one request may have at most \(limit) rows. Use a smaller limit, or several requests."
            )
        case .bytes(let limit):
            self = .requestTooLarge(
                """
                The response to one request may have at most \(limit) bytes. Request fewer records or properties, or \
                use several requests.
                """
            )
        case .share(let limit):
            self = .requestTooLarge(
                """
                A person's concurrent requests may use at most \(limit) bytes. Wait for the other responses, or \
                request less.
                """
            )
        case .disconnected, .shutdown: self = MethodError("serverUnavailable", BudgetError.stoppedText)
        }
    }

    private static func text(_ seconds: Double) -> String {
        seconds == seconds.rounded() ? String(Int(seconds)) : String(seconds)
    }
}

extension Problem {
    /// Creates the problem of a request outside of JMAP that used up its budget.
    init(_ error: BudgetError) {
        switch error.reason {
        case .share(let limit):
            let detail = "A person's concurrent requests may use at most \(limit) bytes. Retry in a moment."
            self.init(.tooManyRequests, detail, kind: .rateLimited, headers: [.retryAfter: "1"])
        case .time, .rows, .bytes:
            self.init(
                .serviceUnavailable,
                "The request takes too long. Request less data.",
                headers: [.retryAfter: "60"]
            )
        case .disconnected, .shutdown:
            self.init(.serviceUnavailable, BudgetError.stoppedText, headers: [.retryAfter: "1"])
        }
    }
}

extension BudgetError {
    fileprivate static let stoppedText =
        "The client closed its half of the connection, or the server is shutting down. Retry the request."
}
