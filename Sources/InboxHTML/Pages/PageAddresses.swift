import InboxCards
package import InboxModel

/// The URL paths of the page's parts, below a common root.
package struct PageAddresses: Sendable {
    /// The root: `/inbox`, after the path of the server's public URL if it has one.
    package let root: String

    /// Returns a code that proves that a message's link was on the page of the person who follows it. Only clicks with
    /// the code are counted.
    ///
    /// The parameters are the message's id and the link. Nil if links have no codes.
    package var linkCode: (@Sendable (_ message: String, _ link: MessageLink) -> String)?

    package init(root: String) {
        self.root = root
    }

    /// The changes that forms name, with their names.
    package static let changes: [(name: String, change: MessageChange)] = [
        ("read", .markRead), ("unread", .markUnread), ("archive", .archive), ("unarchive", .unarchive),
        ("unsnooze", .unsnooze), ("delete", .delete),
    ]

    /// Returns the name of a change in forms. Nil for one that needs more than a name.
    static func name(of change: MessageChange) -> String? { changes.first { $0.change == change }?.name }

    /// The path part of the form that dismisses a message.
    package static let dismiss = "dismiss"

    /// The path part of the form with which earlier versions moved a message back: a page that was loaded before an
    /// update still has it.
    package static let restore = "restore"

    package var style: String { root + "/style.css" }
    package var script: String { root + "/app.js" }
    package var icon: String { root + "/icon.svg" }
    package var signIn: String { root + "/sign-in" }
    package var signOut: String { root + "/sign-out" }
    /// The event source for changes of messages and settings, with a ping each minute.
    package var events: String { root + "/events?types=*&ping=60" }

    package func list(_ view: ListView) -> String { root + view.query() }

    /// Returns the list at a message's place.
    func list(_ view: ListView, at id: String) -> String { "\(list(view))#\(Self.anchor)\(id)" }

    /// The beginning of the element id of a message's card. The message's id follows.
    static let anchor = "message-"

    /// Returns the list with an option to undo the previous action.
    package func list(_ view: ListView, undoing token: String) -> String {
        root + view.query((ListView.Name.undo, token))
    }

    /// Returns the list with a sentence about the previous action.
    package func list(_ view: ListView, notice: ListNotice.Outcome) -> String {
        root + view.query((ListView.Name.notice, notice.rawValue))
    }

    /// The form that changes messages.
    ///
    /// - Parameter fromMessage: Whether it is on a message's page, to which a time that can't be accepted leads back.
    package func messages(_ view: ListView, fromMessage: Bool = false) -> String {
        "\(root)/messages\(fromMessage ? view.query((ListView.Name.page, Self.messagePage)) : view.query())"
    }

    /// The form that marks all messages as read.
    package func readAll(_ view: ListView) -> String { "\(root)/read-all\(view.query())" }

    /// The form that undoes an action.
    package func undo(_ view: ListView) -> String { "\(root)/undo\(view.query())" }

    /// Returns the message's page with a sentence about the previous action.
    ///
    /// - Parameter typed: The local time that was typed for a snooze and can't be accepted.
    package func message(
        _ id: String,
        from view: ListView,
        notice: ListNotice.Outcome,
        typed: String? = nil
    ) -> String {
        var others = [(name: ListView.Name.notice, value: notice.rawValue)]
        if let typed { others.append((ListView.Name.local, typed)) }
        return "\(root)/messages/\(id)\(view.query(others))"
    }

    package func message(_ id: String, from view: ListView) -> String { "\(root)/messages/\(id)\(view.query())" }

    /// The document of a message's HTML, for a frame on the message's page.
    func html(of id: String, for width: MessageHTML.Width, from view: ListView) -> String {
        let query = width == .wide ? view.query() : view.query((ListView.Name.width, width.rawValue))
        return "\(root)/messages/\(id)/html\(query)"
    }

    /// The value of ``ListView/Name/page`` for a message's page.
    package static let messagePage = "message"

    /// Returns the redirect that reports a click on a link of a message.
    ///
    /// - Parameter returnsToMessage: Whether a button without a link leads back to the message's page, not to the list.
    package func clickRedirect(
        _ id: String,
        _ link: MessageLink,
        from view: ListView,
        returnsToMessage: Bool = false
    ) -> String {
        var others: [(name: String, value: String)] = []
        switch link {
        case .own: break
        case .button(let button, _): others.append((ListView.Name.action, button))
        case .html(let index, _): others.append((ListView.Name.link, String(index)))
        }
        if let linkCode { others.append((ListView.Name.code, linkCode(id, link))) }
        if returnsToMessage { others.append((ListView.Name.page, Self.messagePage)) }
        return "\(root)/messages/\(id)/go\(view.query(others))"
    }

    /// Returns the link targets of the cards on a list. The target pages link back to that list.
    func cards(of view: ListView) -> CardAddresses {
        let query = view.query()
        let messages = CardAddress.Piece(root + "/messages/")
        let open = CardAddress.Piece(query)
        let dismiss = CardAddress.Piece("/\(Self.dismiss)\(query)")
        let go = CardAddress.Piece("/go\(query)\(query.isEmpty ? "?" : "&")\(ListView.Name.action)=")
        return CardAddresses(
            open: { CardAddress(before: messages, id: $0.id, after: open) },
            button: { [linkCode] id, button in
                let code =
                    linkCode.map {
                        "&\(ListView.Name.code)=\($0(id, .button(id: button.id, button.action.link)))"
                    } ?? ""
                return CardAddress(before: messages, id: id, after: go, last: ListView.escaped(button.id) + code)
            },
            dismiss: { CardAddress(before: messages, id: $0.id, after: dismiss) }
        )
    }
}

/// A link of a message, as the page's redirect names it.
package enum MessageLink: Hashable, Sendable {
    /// The message's own link.
    case own(String)
    /// The link of a button.
    case button(id: String, String)
    /// A link in the message's HTML, with its place among the links of the cleaned message.
    case html(index: Int, String)

    /// The link's target.
    package var target: String {
        switch self {
        case .own(let link), .button(_, let link), .html(_, let link): link
        }
    }
}
