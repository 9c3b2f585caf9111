import Foundation
import HTMLCleaning

/// The links of a document, found by the addresses that a web view reports.
///
/// A web view has addresses in the spelling of its own URL type: a host in another script is in ASCII there
/// (Punycode). So the spelling of Foundation is tried after the document's own.
struct HTMLLinks: Hashable, Sendable {
    private let actions: HTMLActions
    private let spellings: [String: HTMLAction]

    init(_ html: CleanHTML) {
        actions = HTMLActions(html)
        var spellings: [String: HTMLAction] = [:]
        for action in actions.actions {
            guard let spelling = URL(string: action.url)?.absoluteString, spelling != action.url else { continue }
            if spellings[spelling] == nil { spellings[spelling] = action }
        }
        self.spellings = spellings
    }

    func click(on url: String) -> HTMLActions.Click {
        let click = actions.click(on: url)
        guard click == .blocked, let action = spellings[url] else { return click }
        return .action(action)
    }

    static func == (one: HTMLLinks, other: HTMLLinks) -> Bool {
        one.actions.actions == other.actions.actions && one.actions.closeURL == other.actions.closeURL
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(actions.actions)
        hasher.combine(actions.closeURL)
    }
}
