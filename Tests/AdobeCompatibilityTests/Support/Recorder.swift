import AdobeCompatibility
import Foundation

/// Writes down what it hears.
@MainActor
final class Recorder: InboxEventListening {
    private(set) var heard: [String] = []
    private(set) var errors: [any Error] = []
    /// Whether it deals with links by itself.
    var handlesLinks = false

    func forget() { heard = [] }

    func onLoading(_ inbox: InboxUI) { heard.append("loading") }
    func onSuccess(_ inbox: InboxUI) { heard.append("success") }
    func onError(_ inbox: InboxUI, _ error: any Error) {
        heard.append("error")
        errors.append(error)
    }
    func onCardCreated(_ card: ContentCardUI) { heard.append("created \(card.id)") }
    func onCardDisplayed(_ card: ContentCardUI) { heard.append("displayed \(card.id)") }
    func onCardDismissed(_ card: ContentCardUI) { heard.append("dismissed \(card.id)") }
    func onCardInteracted(_ card: ContentCardUI, _ interactionId: String, actionURL: URL?) -> Bool {
        heard.append("interacted \(card.id) \(interactionId) \(actionURL?.absoluteString ?? "-")")
        return handlesLinks
    }
}
