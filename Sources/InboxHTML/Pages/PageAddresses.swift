import InboxCards
import InboxModel

/// The addresses of the page's parts, below one path.
package struct PageAddresses: Sendable {
    /// `/inbox`, after the path of the server's own address where that has one.
    package let root: String

    /// What shows that a link of a message was on the page of the person who follows it: of the message's id, the id of
    /// the button (nil for the message's own link), and where it leads. Only then a click is counted. Nil leaves it
    /// out.
    package var linkCode: (@Sendable (_ message: String, _ button: String?, _ link: String) -> String)?

    package init(root: String) {
        self.root = root
    }

    /// What a form on the page does with a message.
    package enum Action: String, CaseIterable, Sendable {
        case read, unread, archive, dismiss
        /// Brings back what was archived or dismissed.
        case restore
    }

    package var style: String { root + "/style.css" }
    package var script: String { root + "/app.js" }
    package var icon: String { root + "/icon.svg" }
    package var signIn: String { root + "/sign-in" }
    package var signOut: String { root + "/sign-out" }
    /// The event source: of messages and settings, with a sign of life each minute.
    package var events: String { root + "/events?types=*&ping=60" }

    package func list(_ view: ListView) -> String { root + view.query() }

    /// The list after something was done that can be taken back.
    package func list(_ view: ListView, undoing id: String) -> String {
        root + view.query((ListView.Name.undo, id))
    }

    package func message(_ id: String, from view: ListView) -> String { "\(root)/messages/\(id)\(view.query())" }

    package func action(_ action: Action, of id: String, from view: ListView) -> String {
        "\(root)/messages/\(id)/\(action.rawValue)\(view.query())"
    }

    /// What tells of a click and leads on: that of a button, or that of the message itself.
    ///
    /// - Parameter link: Where it leads.
    package func go(_ id: String, button: String?, link: String, from view: ListView) -> String {
        var others: [(name: String, value: String)] = []
        if let button { others.append((ListView.Name.action, button)) }
        if let linkCode { others.append((ListView.Name.code, linkCode(id, button, link))) }
        return "\(root)/messages/\(id)/go\(view.query(others))"
    }

    /// Where what is on the cards of a list leads, and back to that list.
    func cards(of view: ListView) -> CardAddresses {
        let query = view.query()
        let messages = CardAddress.Piece(root + "/messages/")
        let open = CardAddress.Piece(query)
        let dismiss = CardAddress.Piece("/\(Action.dismiss.rawValue)\(query)")
        let go = CardAddress.Piece("/go\(query)\(query.isEmpty ? "?" : "&")\(ListView.Name.action)=")
        return CardAddresses(
            open: { CardAddress(before: messages, id: $0.id, after: open) },
            button: { [linkCode] id, button in
                let code = linkCode.map { "&\(ListView.Name.code)=\($0(id, button.id, button.action.link))" } ?? ""
                return CardAddress(before: messages, id: id, after: go, last: ListView.escaped(button.id) + code)
            },
            dismiss: { CardAddress(before: messages, id: $0.id, after: dismiss) }
        )
    }
}
