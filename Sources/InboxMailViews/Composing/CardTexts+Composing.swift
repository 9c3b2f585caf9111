public import Foundation
public import InboxCards
public import InboxMail

/// The texts of a screen with a mail, in the person's language.
extension CardTexts {
    /// Returns the text of a problem, with the way to fix it.
    public func text(of problem: DraftProblem) -> String {
        switch problem {
        case .noRecipient: self[.noRecipient]
        case .address(_, _, let address, let problem):
            address.email.isEmpty ? text(of: problem) : "\(isolated(address.displayEmail)): \(text(of: problem))"
        case .internationalAddress(_, _, let address): filled(.internationalAddress, with: address.displayEmail)
        case .empty: self[.emptyMail]
        case .missingSubject: self[.missingSubject]
        case .subjectTooLong: self[.subjectTooLong]
        case .missingAttachment(let word): filled(.missingAttachment, with: word)
        case .fileTooLarge(let name, _, let limit):
            "\(isolated(name)): \(filled(.fileTooLarge, with: size(limit)))"
        case .mailTooLarge(_, let limit): filled(.mailTooLarge, with: size(limit))
        }
    }

    /// Returns why a mail can't be sent to an address, and what to do about it.
    public func text(of problem: AddressProblem) -> String {
        switch problem {
        case .empty: self[.addressMissing]
        case .missingAt: self[.addressMissingAt]
        case .severalAts: self[.addressSeveralAts]
        case .missingLocalPart: self[.addressMissingName]
        case .missingDomain: self[.addressMissingDomain]
        case .localPartCharacter(let character), .domainCharacter(let character):
            filled(.addressCharacter, with: Self.shown(character))
        case .blindCopy: self[.addressOfBlindCopy]
        case .controlCharacter, .notReadable: self[.addressUnreadable]
        case .misplacedDot, .emptyLabel, .hyphenAtEnd, .encodedLabel, .domainLiteral: self[.addressMisspelled]
        case .labelTooLong, .domainTooLong, .tooLong: self[.addressTooLong]
        }
    }

    /// Returns why a mail wasn't sent, or removed, and what to do about it.
    public func text(of refusal: DraftRefusal) -> String {
        switch refusal.code.kind {
        case .recipients where refusal.addresses.isEmpty: self[.someRecipientRefused]
        case .recipients:
            filled(.recipientsRefused, with: refusal.addresses.formatted(.list(type: .and).locale(locale)))
        case .tooManyRecipients: self[.tooManyRecipients]
        case .noRecipients: self[.noRecipient]
        case .tooLarge: self[.refusedTooLarge]
        case .overQuota: self[.overQuota]
        case .sender: self[.senderRefused]
        case .forbidden: self[.sendingForbidden]
        case .attachment: self[.fileMissing]
        case .alreadySent: self[.alreadySent]
        case .notSupported: self[.sendingNotSupported]
        case .notDiscarded: self[.notDiscarded]
        case .unreadable: self[.draftUnreadable]
        case .other, nil: self[.refusedOther]
        }
    }

    /// Returns why a draft isn't saved on the server, and what to do about it.
    func text(ofUnsaved reason: DraftRefusal) -> String {
        switch reason.code {
        case .unreadable: text(of: reason)
        case .tooLarge, .overQuota, .attachment: "\(self[.notSaved]) \(text(of: reason))"
        default: self[.notSaved]
        }
    }

    /// Returns the text of a notice about a mail that is being written.
    ///
    /// - Parameters:
    ///   - notice: The notice.
    ///   - timeZone: The time zone of a time.
    public func text(of notice: ComposeNotice, timeZone: TimeZone = .autoupdatingCurrent) -> String {
        switch notice {
        case .refused(let refusal): text(of: refusal)
        case .unsaved(let reason): text(ofUnsaved: reason)
        case .unknown(_, let attempts): text(ofMaybeSent: attempts, timeZone)
        case .otherVersions: self[.otherVersions]
        case .updatedElsewhere: self[.updatedElsewhere]
        case .discardedElsewhere: self[.discardedElsewhere]
        case .losesFormatting: self[.formattingLost]
        case .offline: self[.offlineSending]
        case .signInNeeded: self[.signInToSend]
        }
    }

    /// Returns the text of a failure, with the way to fix it.
    public func text(of failure: ComposeFailure) -> String {
        switch failure {
        case .attaching(let name, let error):
            error.code == .diskFull ? self[.noSpace] : filled(.fileNotAttached, with: name)
        case .fileTooLarge(let problem): text(of: problem)
        case .undoing(nil): self[.tooLateToUndo]
        case .saving(let error): text(of: error, otherwise: .draftNotSaved)
        case .sending(let error), .undoing(let error?), .discarding(let error), .choosingVersion(let error):
            text(of: error, otherwise: .actionFailed)
        }
    }

    /// Returns the text of a failure on this device, or another text.
    func text(of error: MailError, otherwise text: CardText) -> String {
        switch error.code {
        case .diskFull: self[.noSpace]
        case .closed: self[.signedOutDraft]
        case .unreadableDraft: self[.draftUnreadable]
        default: self[text]
        }
    }

    /// Returns where a file's bytes are.
    public func text(of state: ComposeAttachment.State) -> String {
        switch state {
        case .waiting: self[.notUploaded]
        case .uploading(let fraction): "\(self[.uploading]) \(percent(fraction))"
        case .uploaded: self[.uploaded]
        }
    }

    /// Returns a size in bytes, such as "1.2 MB".
    public func size(_ bytes: Int) -> String { Int64(bytes).formatted(.byteCount(style: .file).locale(locale)) }

    /// Returns a fraction in percent.
    func percent(_ fraction: Double) -> String {
        fraction.formatted(.percent.precision(.fractionLength(0)).locale(locale))
    }

    /// Returns a value that keeps its own direction within a text from right to left.
    private func isolated(_ value: String) -> String { isRightToLeft ? "\u{2068}\(value)\u{2069}" : value }

    /// Returns a character, or the code of one that can't be seen.
    private static func shown(_ character: Character) -> String {
        guard !character.isVisible else { return "“\(character)”" }
        return character.unicodeScalars.map { "U+" + String($0.value, radix: 16, uppercase: true) }
            .joined(separator: " ")
    }
}
