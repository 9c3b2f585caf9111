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
                "over this inbox the filter takes longer than \(Self.text(seconds)) s; use fewer conditions, or narrow it by dates, surface or"
                    + " category. Conditions on body take longest"
            )
        case .time(let seconds, isSingleCall: true) where has("sort"):
            self = .unsupportedSort(
                "over this inbox the sort takes longer than \(Self.text(seconds)) s; sort by deliverAt, or narrow the query by a filter"
            )
        case .time(let seconds, _):
            self = .requestTooLarge(
                "The calls of one request may read for \(Self.text(seconds)) s together. Send them in several requests."
            )
        case .rows(let limit):
            self = .requestTooLarge(
                "The answers of one request may have \(limit) rows together. Use a smaller limit, or several requests."
            )
        case .bytes(let limit):
            self = .requestTooLarge(
                "The answer to one request may have \(limit) bytes. Ask for fewer records or properties, or in several requests."
            )
        case .share(let limit):
            self = .requestTooLarge(
                "All requests of a person may have \(limit) bytes at once. Wait for the answers to the others, or ask for less."
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
            let detail = "All requests of a person may have \(limit) bytes at once. Repeat this one in a moment."
            self.init(.tooManyRequests, detail, kind: .rateLimited, headers: [.retryAfter: "1"])
        case .time, .rows, .bytes:
            self.init(
                .serviceUnavailable,
                "This takes the server too long. Ask for less.",
                headers: [.retryAfter: "60"]
            )
        case .disconnected, .shutdown:
            self.init(.serviceUnavailable, BudgetError.stoppedText, headers: [.retryAfter: "1"])
        }
    }
}

extension BudgetError {
    fileprivate static let stoppedText =
        "The connection was closed for sending, or the server is ending, before this was answered. Repeat it."
}
