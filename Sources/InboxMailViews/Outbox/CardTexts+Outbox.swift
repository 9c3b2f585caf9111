public import Foundation
public import InboxCards
package import InboxMail

/// The texts of the outbox, in the person's language.
extension CardTexts {
    /// Returns the text of a mail's status.
    ///
    /// - Parameters:
    ///   - status: The mail's status.
    ///   - timeZone: The time zone of a time.
    public func text(of status: OutboxItem.Status, timeZone: TimeZone = .autoupdatingCurrent) -> String {
        switch status {
        case .waiting(let date): return filled(.waitingUntil, with: dayAndTime(date, timeZone))
        case .queued: return self[.waitingToSend]
        case .uploading(let fraction): return "\(self[.uploading]) \(percent(fraction))"
        case .sending: return self[.sending]
        case .refused(let refusal) where refusal.code == .notDiscarded: return text(of: refusal)
        case .refused: return self[.notSent]
        case .unsaved(let reason): return text(ofUnsaved: reason)
        case .unknown(_, let attempts): return text(ofMaybeSent: attempts, timeZone)
        case .sentUnnamed: return self[.sentUnnamed]
        case .sentUnmoved: return self[.sentUnmoved]
        }
    }

    /// Returns that it isn't known whether a mail was sent, with what was tried.
    func text(ofMaybeSent attempts: SendingAttempts?, _ timeZone: TimeZone) -> String {
        guard let attempts else { return self[.maybeSent] }
        let count = attempts.requestCount.formatted(.number.locale(locale))
        var texts = [
            self[.maybeSent], filled(.sendingAttempts, with: count),
            filled(.lastAttempt, with: dayAndTime(attempts.lastRequestAt, timeZone)),
        ]
        switch attempts.finding {
        case .missing: texts.append(self[.mailNotOnServer])
        case .unsubmitted: texts.append(self[.mailNotAmongSent])
        case .submissionGone: texts.append(self[.mailHeldNoLonger])
        case nil: break
        }
        return texts.joined(separator: " ")
    }

    /// Returns a day with its time.
    private func dayAndTime(_ date: Date, _ timeZone: TimeZone) -> String {
        var style = Date.FormatStyle(date: .abbreviated, time: .shortened, locale: locale)
        style.timeZone = timeZone
        return date.formatted(style)
    }

    /// Returns the text of a failure, with the way to fix it.
    public func text(of failure: OutboxModel.Failure) -> String {
        switch failure {
        case .sending(let error) where error.code == .invalidArgument: self[.needsChange]
        case .sending(let error), .revoking(let error?), .saving(let error), .discarding(let error):
            text(of: error, otherwise: .actionFailed)
        case .revoking(nil): self[.tooLateToUndo]
        }
    }

    /// Returns a recipient of a blind copy with the whole address, such as "Bcc: Eve <eve@example.org>".
    package func bcc(_ address: EmailAddress) -> String { "\(self[.bcc]): \(address.typedText)" }

    /// Returns a mail's recipients, such as "Anna, Bob".
    func names(of recipients: [EmailAddress]) -> String {
        recipients.map { $0.name.flatMap { $0.isBlank ? nil : $0 } ?? $0.displayEmail }.joined(separator: ", ")
    }
}
