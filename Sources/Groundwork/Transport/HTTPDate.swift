package import Foundation

/// The `Retry-After` header field (RFC 9110, section 10.2.3): seconds or a date.
package enum RetryAfter {
    /// Parses the field's value.
    ///
    /// - Returns: The seconds from `now` on, at least 0; nil if the value is invalid.
    package static func seconds(_ text: String, now: Date) -> Double? {
        let text = text.trimmingCharacters(in: .whitespaces)
        if let seconds = Int(text) { return Double(max(0, seconds)) }
        return HTTPDate.date(text).map { max(0, $0.timeIntervalSince(now)) }
    }
}

/// Dates of HTTP header fields (RFC 9110, section 5.6.7), to the second.
package enum HTTPDate {
    /// Parses a date in the preferred format; nil if it isn't one.
    package static func date(_ text: String) -> Date? { formatter.date(from: text) }

    /// Writes a date in the preferred format.
    package static func string(from date: Date) -> String { formatter.string(from: date) }

    private static var formatter: DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter
    }
}
