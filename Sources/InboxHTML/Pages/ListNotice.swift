import Foundation
import InboxCards
package import InboxModel

/// The notice of a list about the last action.
package enum ListNotice: Sendable {
    /// An applied action, and the token by which it can be undone.
    case done(Done, undo: String)
    case outcome(Outcome)

    /// The action that was applied.
    package struct Done: Sendable {
        /// The change of the messages.
        package var change: MessageChange
        /// The number of messages that it changed.
        package var count: Int
        /// The message's name (``InboxModel/Message/pageName``), if it is one.
        package var title: String?

        package init(_ change: MessageChange, count: Int, title: String? = nil) {
            (self.change, self.count, self.title) = (change, count, title)
        }
    }

    /// A sentence about the action, by its name in a URL.
    package enum Outcome: String, Sendable {
        case undone
        /// Nothing can be undone any more.
        case ended
        /// A button without a link was pressed.
        case recorded
        /// No message was selected.
        case nothing
        /// The messages are deleted, or were removed by their sender.
        case gone
        /// The time of a snooze is past, or years away.
        case time

        /// Whether the form was refused, so that it can be corrected.
        var isRefusal: Bool {
            switch self {
            case .nothing, .time: true
            case .undone, .ended, .recorded, .gone: false
            }
        }
    }
}

extension ListNotice {
    /// Renders the notice.
    func draw(_ frame: PageFrame, view: ListView, _ writer: inout HTMLWriter) {
        writer.markup("<div class=\"ib-notice\"")
        // The script leaves the form as it is.
        if case .outcome(let outcome) = self, outcome.isRefusal { writer.markup(" data-refused") }
        writer.markup("><span>")
        switch self {
        case .outcome(let outcome):
            writer.text(frame.texts[outcome.text])
            writer.markup("</span></div>")
        case .done(let done, let token):
            if let title = done.title {
                writer.text(frame.texts.pastName(of: done.change))
                writer.markup(" · <bdi>")
                writer.text(title.isEmpty ? frame.texts[.message] : title)
                writer.markup("</bdi>")
            } else {
                writer.text(frame.texts.pastName(of: done.change, count: done.count))
            }
            if case .snooze(let time) = done.change {
                writer.markup(" · ")
                frame.draw(time, &writer)
            }
            writer.markup("</span><form method=\"post\"")
            writer.attribute("action", frame.addresses.undo(view))
            writer.markup("><input type=\"hidden\"")
            writer.attribute("name", ListView.Name.undo)
            writer.attribute("value", token)
            // Without a script, the keyboard focus continues here after an action. A script moves the focus itself.
            writer.markup("><button class=\"ib-quiet\" autofocus>")
            writer.text(frame.texts[.undo])
            writer.markup("</button></form></div>")
        }
    }
}

extension ListNotice.Outcome {
    fileprivate var text: CardText {
        switch self {
        case .undone: .undone
        case .ended: .undoEnded
        case .recorded: .choiceRecorded
        case .nothing: .nothingSelected
        case .gone: .messageGone
        case .time: .futureTimeNeeded
        }
    }
}

extension PageFrame {
    /// Renders a time of the near future, such as that of a snooze. In a time zone that may not be the reader's, the
    /// zone is named.
    func draw(_ time: Date, _ writer: inout HTMLWriter) {
        writer.markup("<time datetime=\"")
        writer.time(time)
        writer.markup("\">")
        writer.text(text(time))
        writer.markup("</time>")
    }

    /// The text of a time of the near future.
    func text(_ time: Date) -> String { zoned(relativeTime.short(time, now: now)) }

    /// The full date and time of a message.
    func exactText(_ time: Date) -> String { zoned(relativeTime.exact(time)) }

    /// Whether times are in UTC: the server knows the reader's time zone once the script has run.
    var isInUTC: Bool { relativeTime.timeZone == .gmt }

    private func zoned(_ text: String) -> String { isInUTC ? "\(text) UTC" : text }
}
