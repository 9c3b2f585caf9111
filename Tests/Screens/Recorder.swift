package import Foundation
package import InboxViews

/// A listener that records its calls.
@MainActor
package final class Recorder: InboxEventListening {
    package private(set) var heard: [String] = []
    package private(set) var errors: [any Error] = []
    /// Whether it handles links itself.
    package var handlesLinks = false

    package init() {}

    package func forget() { heard = [] }

    package func onLoading(_ inbox: InboxUI) { heard.append("loading") }
    package func onSuccess(_ inbox: InboxUI) { heard.append("success") }
    package func onError(_ inbox: InboxUI, _ error: any Error) {
        heard.append("error")
        errors.append(error)
    }
    package func onCardCreated(_ card: ContentCardUI) { heard.append("created \(card.id)") }
    package func onCardDisplayed(_ card: ContentCardUI) { heard.append("displayed \(card.id)") }
    package func onCardDismissed(_ card: ContentCardUI) { heard.append("dismissed \(card.id)") }
    package func onCardInteracted(_ card: ContentCardUI, _ interactionId: String, actionURL: URL?) -> Bool {
        heard.append("interacted \(card.id) \(interactionId) \(actionURL?.absoluteString ?? "-")")
        return handlesLinks
    }
}
