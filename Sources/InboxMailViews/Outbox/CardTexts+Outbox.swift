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
        case .waiting(let date):
            var style = Date.FormatStyle(date: .abbreviated, time: .shortened, locale: locale)
            style.timeZone = timeZone
            return filled(.waitingUntil, with: date.formatted(style))
        case .queued: return self[.waitingToSend]
        case .uploading(let fraction): return "\(self[.uploading]) \(percent(fraction))"
        case .sending: return self[.sending]
        case .refused: return self[.notSent]
        case .unsaved(let reason): return text(ofUnsaved: reason)
        case .unknown: return self[.maybeSent]
        case .sentUnnamed: return self[.sentUnnamed]
        }
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
