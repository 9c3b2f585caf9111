import Foundation
import InboxCards
import InboxMail

extension CardTexts {
    /// Returns a text with a number, such as "Pictures from the web aren't shown (3)".
    func counted(_ text: CardText, _ count: Int) -> String {
        "\(self[text]) (\(count.formatted(.number.locale(locale))))"
    }

    /// Returns the title of the button that folds or unfolds a part.
    func folding(_ part: MailBodyPart) -> String {
        switch (part.kind, part.isFolded) {
        case (.signature, true): self[.showSignature]
        case (.signature, false): self[.hideSignature]
        case (_, true): self[.showQuotedText]
        case (_, false): self[.hideQuotedText]
        }
    }
}
