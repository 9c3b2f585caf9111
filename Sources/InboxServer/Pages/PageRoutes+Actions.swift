import Foundation
import Groundwork
import Hummingbird
import InboxCards
import InboxHTML
import InboxModel
import InboxService

// The forms that change messages. The response to each is a redirect to the list, which reports the action and offers
// to undo it. So a reload repeats nothing.

extension PageRoutes {
    /// The maximum number of messages that a form may name: those that a list shows.
    static let maxSelected = InboxPart.maxLimit

    /// The maximum number of characters of a local time.
    private static let maxTypedLength = 32

    /// The names of the fields of the form that changes messages.
    private enum Field {
        static let id = "id"
        /// A change, by its name.
        static let change = "do"
        /// The time of a snooze, as the menu offers it.
        static let until = "until"
        /// The time of a snooze, as a local time.
        static let local = ListView.Name.local
        static let snooze = "snooze"
    }

    /// Changes the message that the address names.
    func perform(_ change: MessageChange, _ context: PageContext) async throws -> Response {
        try await changing(context) { reads in
            try await perform(change, on: [try await messageID(context, reads)], for: reads.person)
        }
    }

    /// Dismisses the message that the address names: deletes it, and records that.
    func dismiss(_ context: PageContext) async throws -> Response {
        try await changing(context) { reads in
            let person = reads.person
            let message = try await find(context, reads)
            try changes.count(of: person.id)
            return try await writer.write(.of(person)) { transaction in
                try transaction.dismiss(message, for: person)
            }
        }
    }

    /// Moves the message that the address names back to the inbox, whether it was deleted or archived: the form of
    /// pages that were loaded from an earlier version.
    func restore(_ context: PageContext) async throws -> Response {
        try await changing(context) { reads in
            let person = reads.person
            let id = try await messageID(context, reads)
            try changes.count(of: person.id)
            return try await writer.write(.of(person)) { transaction in
                let restored = try transaction.perform(.undelete, on: [id], for: person)
                let moved = try transaction.perform(.unarchive, on: [id], for: person)
                return moved.count > 0 ? moved : restored
            }
        }
    }

    /// Changes the messages that a form names: one, or the selected ones.
    func change(_ context: PageContext) async throws -> Response {
        try access.checkOrigin(of: context.request)
        let query = try context.query(and: [ListView.Name.page])
        let view = try ListView(query)
        let form = try await context.form(allowed: [Field.change, Field.until, Field.local], listed: Field.id)
        let ids = try Self.ids(form)
        return try await personal(context) { reads, _ in
            guard let change = try Self.change(form, context.frame) else {
                guard query[ListView.Name.page] == PageAddresses.messagePage, let id = ids.first else {
                    return context.redirect(to: view, notice: .time)
                }
                let typed = form[Field.local].map { String($0.prefix(Self.maxTypedLength)) }
                let addresses = context.frame.addresses
                return PageResponse.redirect(
                    to: addresses.message(id.text, from: view, notice: .time, typed: typed)
                )
            }
            guard !ids.isEmpty else { return context.redirect(to: view, notice: .nothing) }
            let done = try await perform(change, on: ids, for: reads.person)
            // On a page that was loaded before, the messages may be deleted, recalled or expired by now.
            if done.count == 0, try await areGone(ids, reads) { return context.redirect(to: view, notice: .gone) }
            return redirect(context, to: view, after: done, of: reads.person)
        }
    }

    /// Marks all messages of the surface as read, up to the state that the page has shown: a message that has arrived
    /// since stays unread.
    func readAll(_ context: PageContext) async throws -> Response {
        try access.checkOrigin(of: context.request)
        let view = try context.view()
        let form = try await context.form(allowed: ["state"])
        guard let state = form["state"], PersonState(state) != nil else {
            throw Problem(.badRequest, "state isn't that of an inbox.")
        }
        return try await personal(context) { reads, _ in
            let person = reads.person
            // One change, as a device's.
            try changes.count(of: person.id)
            var write = MarkAllRead(
                upToState: state,
                at: context.frame.now,
                surface: (view.surface ?? Message.defaultSurface).normalized
            )
            var count = 0
            repeat {
                let part = try await writer.write(.of(person)) { [write] transaction in
                    try transaction.requireExistence(of: person)
                    return try transaction.markAllRead(write, for: person)
                }
                count += part.count
                write.after = part.after?.text
            } while write.after != nil
            let done = DoneAction(allReadAt: write.at.milliseconds, count: count)
            return redirect(context, to: view, after: done, of: person)
        }
    }

    /// Undoes an action. A form that is sent again changes nothing, nor does one of another person.
    func undo(_ context: PageContext) async throws -> Response {
        try access.checkOrigin(of: context.request)
        let view = try context.view()
        let form = try await context.form(allowed: [ListView.Name.undo])
        return try await personal(context) { reads, _ in
            let person = reads.person
            guard let done = form[ListView.Name.undo].flatMap({ links.action($0, person: person) }) else {
                return context.redirect(to: view, notice: .ended)
            }
            try changes.count(max(1, done.entries.count), of: person.id)
            var count = 0
            if done.kind == .allRead, let time = done.after {
                var place: DeliveryPlace?
                repeat {
                    let part = try await writer.write(.of(person)) { [place] transaction in
                        try transaction.markUnread(readAt: time, after: place, for: person)
                    }
                    (count, place) = (count + part.count, part.after)
                } while place != nil
            } else {
                count = try await writer.write(.of(person)) { transaction in try transaction.undo(done, for: person) }
            }
            // A second click finds that all is as it was before the action.
            if count == 0 {
                let isUndone = try await reads.read { reading in
                    try reading.inbox(of: person).messages(of: done).isUndone
                }
                guard isUndone else { return context.redirect(to: view, notice: .ended) }
            }
            return context.redirect(to: view, notice: .undone)
        }
    }

    // MARK: Shared

    /// Answers a form without fields, which performs one action. A form of another site is rejected.
    ///
    /// - Throws: As ``personal(_:_:)``; ``Problem`` 403 for a form of another site.
    private func changing(
        _ context: PageContext,
        _ action: (PersonReads) async throws -> DoneAction
    ) async throws -> Response {
        try access.checkOrigin(of: context.request)
        let view = try context.view()
        return try await personal(context) { reads, _ in
            redirect(context, to: view, after: try await action(reads), of: reads.person)
        }
    }

    private func perform(
        _ change: MessageChange,
        on ids: [MessageID],
        for person: Person
    ) async throws -> DoneAction {
        try changes.count(ids.count, of: person.id)
        return try await writer.write(.of(person)) { transaction in
            try transaction.perform(change, on: ids, for: person)
        }
    }

    /// Returns whether the inbox shows none of the messages.
    private func areGone(_ ids: [MessageID], _ reads: PersonReads) async throws -> Bool {
        try await reads.read { [person = reads.person] reading in
            try reading.inbox(of: person).messages(ids).allSatisfy { $0.deletedAt != nil }
        }
    }

    /// Returns a redirect to the list, which offers to undo the action if it changed anything.
    private func redirect(
        _ context: PageContext,
        to view: ListView,
        after done: DoneAction,
        of person: Person
    ) -> Response {
        let addresses = context.frame.addresses
        guard done.count > 0 else { return PageResponse.redirect(to: addresses.list(view)) }
        return PageResponse.redirect(to: addresses.list(view, undoing: links.token(done, person: person)))
    }

    /// Returns the id of the message that the address names.
    ///
    /// - Throws: ``Problem`` 404 if the inbox doesn't show it.
    private func messageID(_ context: PageContext, _ reads: PersonReads) async throws -> MessageID {
        guard let id = MessageID(try await find(context, reads).id) else { throw Self.notFound }
        return id
    }

    /// Returns the ids of a form, each once.
    ///
    /// - Throws: ``Problem`` 400 for an id that isn't one, or more than ``maxSelected``.
    private static func ids(_ form: QueryParameters) throws -> [MessageID] {
        guard form.listed.count <= maxSelected else {
            throw Problem(.badRequest, "A form can change at most \(maxSelected) messages at once.")
        }
        return try form.listed.map { text in
            guard let id = MessageID(text) else { throw Problem(.badRequest, "id isn't a message's id.") }
            return id
        }
    }

    /// Returns the change of a form, or nil for a snooze until a time that isn't accepted.
    ///
    /// - Throws: ``Problem`` 400 for an unknown change, or a time that isn't one.
    private static func change(_ form: QueryParameters, _ frame: PageFrame) throws -> MessageChange? {
        if let name = form[Field.change], name != Field.snooze {
            guard let change = PageAddresses.changes.first(where: { $0.name == name })?.change else {
                throw Problem(.badRequest, "do isn't a change of messages.")
            }
            return change
        }
        let now = frame.now
        let time: Date?
        if form[Field.change] == Field.snooze {
            let text = form[Field.local] ?? ""
            time = try text.isEmpty ? nil : local(text, frame)
        } else {
            guard let date = try form.date(Field.until) else {
                throw Problem(.badRequest, "The form needs a change: do, or until.")
            }
            time = date
        }
        return time.flatMap { SnoozeOption.accepts($0, at: now) ? .snooze(until: $0) : nil }
    }

    /// Returns the time of a field for local times (HTML, section 2.3.5.5), in the reader's time zone. Nil if that has
    /// no such time.
    ///
    /// - Throws: ``Problem`` 400 for any other text.
    private static func local(_ text: String, _ frame: PageFrame) throws -> Date? {
        let parts = text.wholeMatch(of: /(\d{4,6})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::\d\d(?:\.\d{1,3})?)?/)?.output
        guard let parts, let year = Int(parts.1), let month = Int(parts.2), let day = Int(parts.3),
            let hour = Int(parts.4), let minute = Int(parts.5)
        else { throw Problem(.badRequest, "The parameter at has to be a local time, such as 2026-05-01T08:00.") }
        return SnoozeOption.time(
            year: year,
            month: month,
            day: day,
            hour: hour,
            minute: minute,
            timeZone: frame.language.relativeTime.timeZone
        )
    }
}

extension ListNotice.Done {
    /// Creates the notice of an action, or nil if nothing of it can be undone any more.
    init?(_ done: DoneAction, in inbox: PersonInbox) throws {
        guard done.kind != .allRead else {
            self.init(done.change, count: done.count)
            return
        }
        let still = try inbox.messages(of: done).stillDone
        guard let first = still.first else { return nil }
        self.init(
            done.change,
            count: still.count,
            title: done.count == 1 ? try inbox.messages([first]).first?.pageName : nil
        )
    }
}
