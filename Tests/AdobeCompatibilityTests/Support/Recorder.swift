import AdobeCompatibility
import Foundation

/// A listener that records its calls.
@MainActor
final class Recorder: InboxEventListening {
    private(set) var calls: [String] = []
    private(set) var errors: [any Error] = []
    /// Whether it handles links itself.
    var handlesLinks = false

    init() {}

    func removeAll() { calls = [] }

    func onLoading(_ inbox: InboxUI) { calls.append("loading") }
    func onSuccess(_ inbox: InboxUI) { calls.append("success") }
    func onError(_ inbox: InboxUI, _ error: any Error) {
        calls.append("error")
        errors.append(error)
    }
    func onCardCreated(_ card: ContentCardUI) { calls.append("created \(card.id)") }
    func onCardDisplayed(_ card: ContentCardUI) { calls.append("displayed \(card.id)") }
    func onCardDismissed(_ card: ContentCardUI) { calls.append("dismissed \(card.id)") }
    func onCardInteracted(_ card: ContentCardUI, _ interactionId: String, actionURL: URL?) -> Bool {
        calls.append("interacted \(card.id) \(interactionId) \(actionURL?.absoluteString ?? "-")")
        return handlesLinks
    }
}
