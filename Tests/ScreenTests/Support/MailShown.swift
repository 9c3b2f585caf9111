import InboxCards
import InboxMail
import InboxMailViews
import InboxViews
import Screens
@testable import SwiftUI

extension View {
    /// The view in English, with mail.
    func shown(withMail mail: Mail?) -> some View { self.mail(mail).inboxTexts(CardTexts(.english)) }
}

extension Person {
    /// The accessibility label of the row with a subject.
    func label(of subject: String) throws -> String {
        guard let element = elements.first(where: { $0.label.contains(subject) && $0.traits.contains(.isButton) })
        else {
            throw Unexpected("no row is named '\(subject)': \(elements.map(\.label))")
        }
        return element.label
    }
}
