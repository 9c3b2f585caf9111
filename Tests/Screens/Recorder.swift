package import Foundation
package import InboxViews

/// A listener that records its calls.
@MainActor
package final class Recorder: InboxEventListening {
    package private(set) var calls: [String] = []
    package private(set) var errors: [any Error] = []
    /// Whether it handles links itself.
    package var handlesLinks = false

    package init() {}

    package func removeAll() { calls = [] }

    package func onLoading(_ inbox: InboxUI) { calls.append("loading") }
    package func onSuccess(_ inbox: InboxUI) { calls.append("success") }
    package func onError(_ inbox: InboxUI, _ error: any Error) {
        calls.append("error")
        errors.append(error)
    }
    package func onCardCreated(_ card: ContentCardUI) { calls.append("created \(card.id)") }
    package func onCardDisplayed(_ card: ContentCardUI) { calls.append("displayed \(card.id)") }
    package func onCardDismissed(_ card: ContentCardUI) { calls.append("dismissed \(card.id)") }
    package func onCardInteracted(_ card: ContentCardUI, _ interactionId: String, actionURL: URL?) -> Bool {
        calls.append("interacted \(card.id) \(interactionId) \(actionURL?.absoluteString ?? "-")")
        return handlesLinks
    }
}
