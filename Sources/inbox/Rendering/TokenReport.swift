import Foundation
import Groundwork
import InboxServer

/// The report of `inbox token inspect` about a token.
struct TokenReport {
    let inspection: TokenInspection
    let now: Date

    /// Whether a server would accept the token, as far as that is known without one.
    var isAccepted: Bool { if case .accepted = inspection.verdict { true } else { false } }

    private var refusal: TokenRejection? {
        switch inspection.verdict {
        case .accepted: nil
        case .rejected(let refusal): refusal
        case .unverified(let refusal): refusal
        }
    }

    /// Whether the signature was checked, with any result.
    private var isChecked: Bool {
        switch inspection.verdict {
        case .accepted: return true
        case .unverified: return false
        case .rejected(let refusal):
            switch refusal.reason {
            case .malformed, .tooLong, .unknownKey, .noKeyNamed, .wrongAlgorithm: return false
            default: return true
            }
        }
    }

    // MARK: For people

    var lines: [String] {
        var lines: [String] = []
        if let parts = inspection.parts {
            lines += [ANSIStyle.bold("Header")] + parts.header.members.map { row($0.name, text($0.value)) }
            lines += [ANSIStyle.bold("Claims")]
            lines += parts.claims.members.map { row($0.name, text($0.value) + time($0.name, parts)) }
            lines += [ANSIStyle.bold("Signature"), "  \(parts.signatureSize) bytes"]
        }
        return lines + verdict
    }

    private var verdict: [String] {
        switch inspection.verdict {
        case .accepted(let person, let expiresAt):
            let end = "\(RFC3339.string(from: expiresAt)) (\(ShortTime.text(expiresAt, now: now)))"
            let line = ANSIStyle.success("✓ The server would accept it") + ": \(person.plainLine), until \(end)."
            return [line] + (inspection.parts?.claims["iat"] == nil ? [Self.noIssueTime] : [])
        case .rejected(let refusal):
            return [ANSIStyle.failure("✗ The server would reject it") + " (\(refusal.reason.rawValue)): \(refusal)"]
                + ["  \(refusal.advice)"] + keyLines(refusal)
        case .unverified(let refusal):
            let line =
                ANSIStyle.warning("! The signature wasn't checked") + ": "
                + (inspection.parts?.claimsServerIssuer == true
                    ? "a server issued this token itself, and only that server has the key."
                    : "give the server's keys with --jwt-key or --jwt-secret.")
            guard let refusal else { return [line] }
            return [line, ANSIStyle.failure("✗ It would be rejected regardless of its signature") + ": \(refusal)"]
                + ["  \(refusal.advice)"]
        }
    }

    private static let noIssueTime =
        """
          It has no iat: it would be rejected if its person was ever erased or signed out everywhere. Set iat to the \
        time of issue.
        """

    /// Returns the available keys if the token names another key or none.
    private func keyLines(_ refusal: TokenRejection) -> [String] {
        switch refusal.reason {
        case .unknownKey, .noKeyNamed, .wrongAlgorithm:
            [
                "  The given keys: "
                    + inspection.keys.map { "\($0.id.plainLine) (\($0.algorithm))" }.joined(separator: ", ")
            ]
        default: []
        }
    }

    private func row(_ name: String, _ value: String) -> String {
        "  " + ANSIStyle.dim(name.plainLine.padded(to: 6)) + value
    }

    private func text(_ value: JSON) -> String { (value.stringValue ?? value.description).plainLine }

    /// Returns a time claim as a date and relative to the current time.
    private func time(_ name: String, _ parts: TokenInspection.Parts) -> String {
        guard let date = TokenRejection.TimeClaim(rawValue: name).flatMap(parts.date) else { return "" }
        return "  \(RFC3339.string(from: date)), \(ShortTime.text(date, now: now))"
    }

    // MARK: For scripts

    var json: JSON {
        var object = JSONObject([("taken", .bool(isAccepted)), ("signatureChecked", .bool(isChecked))])
        if case .accepted(let person, let expiresAt) = inspection.verdict {
            object["person"] = .string(person)
            object["expiresAt"] = .string(RFC3339.string(from: expiresAt))
        }
        if let refusal {
            object["reason"] = .string(refusal.reason.rawValue)
            object["detail"] = .string(refusal.description)
            object["advice"] = .string(refusal.advice)
        }
        object["header"] = inspection.parts.map { .object($0.header) }
        object["claims"] = inspection.parts.map { .object($0.claims) }
        return .object(object)
    }
}
