import Foundation
import Groundwork
import Hummingbird
import InboxCards
import InboxHTML
import InboxModel
import InboxService
import JMAP
import Logging

/// The routes of the page on which a person reads the inbox in a browser: `/inbox`.
///
/// The page isn't part of the REST API: its addresses and forms may change with any version.
struct PageRoutes: Sendable {
    let writer: Writer
    let access: PageAccess
    let frames: PageFrames
    let requestReads: RequestReads
    let eventSource: EventSource
    let sessions: Sessions
    let links: PageLinks
    /// The rate limit of the records that each person changes.
    let changes: RateLimiter
    let failures: RequestFailures
    private let requests = ConcurrencyLimit("maxConcurrentRequests", 16)
    private let unreadCounts = UnreadCounts()
    private let style = PageResponse.File(BaseStyle.css + "\n" + PageStyle.css, type: "text/css; charset=utf-8")
    private let script = PageResponse.File(PageScript.source, type: "text/javascript; charset=utf-8")
    private let icon = PageResponse.File(PageStyle.icon, type: "image/svg+xml")

    /// Answers a page or a form.
    private typealias PageHandler = @Sendable (PageContext) async throws -> Response

    func add(to routes: Routes) {
        routes.route("/", [.get { request, _ in try home(request) }])
        routes.route("/inbox", [.get(page(list))])
        routes.route("/inbox/sign-in", [.post(page(signIn))])
        routes.route("/inbox/sign-out", [.post(page(signOut))])
        routes.route("/inbox/messages/:id", [.get(page(message))])
        routes.route("/inbox/messages/:id/html", [.get(page(html))])
        routes.route("/inbox/messages/:id/go", [.get(page(followLink))])
        for (name, change) in PageAddresses.changes {
            routes.route("/inbox/messages/:id/\(name)", [.post(page { try await perform(change, $0) })])
        }
        routes.route("/inbox/messages/:id/\(PageAddresses.dismiss)", [.post(page(dismiss))])
        routes.route("/inbox/messages/:id/\(PageAddresses.restore)", [.post(page(restore))])
        routes.route("/inbox/messages", [.post(page(change))])
        routes.route("/inbox/read-all", [.post(page(readAll))])
        routes.route("/inbox/undo", [.post(page(undo))])
        routes.route("/inbox/events", [.getStream { request, context in try await listen(request, context) }])
        routes.route("/inbox/style.css", [.get { request, _ in style.response(to: request) }])
        routes.route("/inbox/app.js", [.get { request, _ in script.response(to: request) }])
        routes.route("/inbox/icon.svg", [.get { request, _ in icon.response(to: request) }])
        routes.route("/inbox/**", [.get(page { _ in throw Self.notFound })])
    }

    private func page(_ handler: @escaping PageHandler) -> RouteHandler.Handler {
        { request, context in
            try await answer(PageContext(request, context, frame: frames.frame(for: request)), handler)
        }
    }

    // MARK: Pages

    /// Leads a browser from the server's address to the list.
    ///
    /// - Throws: ``Problem`` 404 for a client that doesn't accept HTML.
    private func home(_ request: Request) throws -> Response {
        guard request.wantsHTML else { throw Self.notFound }
        return PageResponse.redirect(to: access.root)
    }

    private func list(_ context: PageContext) async throws -> Response {
        let query = try context.query(and: [ListView.Name.undo, ListView.Name.notice])
        let view = try ListView(query)
        return try await personal(context) { reads, share in
            let person = reads.person
            let done = query[ListView.Name.undo].flatMap { links.action($0, person: person) }
            let (shown, notice) = try await reads.read { [now = context.frame.now, unreadCounts] reading in
                let inbox = reading.inbox(of: person)
                let page = try inbox.page(view.part, counts: unreadCounts, now: now)
                return (page, try done.flatMap { try ListNotice.Done($0, in: inbox) })
            }
            let outcome = query[ListView.Name.notice].flatMap { ListNotice.Outcome(rawValue: $0) }
            let page = ListPage(
                shown,
                view: view,
                notice: notice.map { .done($0, undo: query[ListView.Name.undo] ?? "") } ?? outcome.map { .outcome($0) }
            )
            let frame = frame(context, for: person)
            return try PageResponse.page(page.html(frame), nonce: frame.nonce, holding: share, on: context.channel)
        }
    }

    /// Returns the page's frame, with links that count this person's clicks.
    private func frame(_ context: PageContext, for person: Person) -> PageFrame {
        var frame = context.frame
        frame.addresses.linkCode = { [links] message, link in
            links.code(person: person, message: message, link: link)
        }
        return frame
    }

    private func message(_ context: PageContext) async throws -> Response {
        let query = try context.query(and: [ListView.Name.notice, ListView.Name.local])
        let view = try ListView(query)
        let notice = query[ListView.Name.notice].flatMap { ListNotice.Outcome(rawValue: $0) }
        return try await personal(context) { reads, share in
            let person = reads.person
            var message = try await shown(context, reads)
            // With a notice, an action leads back to a page that was open before.
            if notice == nil, context.request.isOpening, try await isUserInitiated(context.request, message, reads) {
                do {
                    try await writer.write(.of(person)) { [message] transaction in
                        try transaction.open(message, for: person)
                    }
                    message.readAt = message.readAt ?? context.frame.now
                } catch let error where StorageFailure(error) != nil {
                    // The message can be read nevertheless. The next opening is stored.
                    failures.record(error, context.logger, as: "storing the opening of a message failed")
                }
            }
            let page = DetailPage(message: message, view: view, notice: notice, typed: query[ListView.Name.local])
            let frame = frame(context, for: person)
            return try PageResponse.page(page.html(frame), nonce: frame.nonce, holding: share, on: context.channel)
        }
    }

    /// Returns the message's HTML as a document of its own, for the frame on the message's page. It counts nothing.
    private func html(_ context: PageContext) async throws -> Response {
        let query = try context.query(and: [ListView.Name.width])
        let (view, width) = (try ListView(query), query[ListView.Name.width] ?? MessageHTML.Width.wide.rawValue)
        guard let width = MessageHTML.Width(rawValue: width) else {
            throw Problem(.badRequest, "width is narrow or wide.")
        }
        return try await personal(context) { reads, share in
            let message = try await shown(context, reads)
            guard let html = MessageHTML(message) else { throw Self.notFound }
            let document = html.document(frame(context, for: reads.person), for: width, from: view)
            return try PageResponse.frame(document, holding: share, on: context.channel)
        }
    }

    /// Returns whether the person has opened the message deliberately. Any site may link to a message whose id it
    /// knows, as every recipient of a broadcast does. An opened message to one person was opened by that person.
    private func isUserInitiated(_ request: Request, _ message: Message, _ reads: PersonReads) async throws -> Bool {
        guard access.isCrossSiteNavigation(request), let id = MessageID(message.id) else { return true }
        return try await reads.read { reading in try reading.isForOnePerson(id) }
    }

    /// Tracks a click, and redirects to its destination: never to a URL that runs code. An invalid destination
    /// redirects to the list, a button without one to the page that it is on, which reports that the click was tracked.
    ///
    /// Without a code from the person's own page, it redirects but counts nothing, since the link may come from anyone.
    private func followLink(_ context: PageContext) async throws -> Response {
        let query = try context.query(
            and: [ListView.Name.action, ListView.Name.link, ListView.Name.code, ListView.Name.page]
        )
        let view = try ListView(query)
        return try await personal(context) { reads, _ in
            let person = reads.person
            let message = try await find(context, reads)
            let (link, click) = try clicked(query, in: message)
            let code = query[ListView.Name.code] ?? ""
            let isCounted =
                context.request.isOpening && links.isValid(code, person: person, message: message.id, link: link)
            if isCounted {
                try await writer.write(.of(person)) { transaction in
                    try transaction.click(message, click, for: person)
                }
            }
            if let address = WebLink.checked(link.target).flatMap({ URL(string: $0)?.absoluteString }) {
                return PageResponse.redirect(to: address)
            }
            // Without consent, a click on a button without a link isn't stored.
            guard case .button(_, "") = link, isCounted, message.consentCategory == nil else {
                return PageResponse.redirect(to: context.frame.addresses.list(view))
            }
            guard query[ListView.Name.page] == PageAddresses.messagePage, message.deletedAt == nil else {
                return context.redirect(to: view, notice: .recorded)
            }
            let page = context.frame.addresses.message(message.id, from: view, notice: .recorded)
            return PageResponse.redirect(to: page)
        }
    }

    /// Returns the link that a redirect's query names, and the click that it counts.
    ///
    /// - Throws: ``Problem`` 404 if the message doesn't have the link.
    private func clicked(_ query: QueryParameters, in message: Message) throws -> (MessageLink, MessageClick) {
        if let id = query[ListView.Name.action] {
            guard let button = message.actions.first(where: { $0.id == id }) else { throw Self.notFound }
            return (.button(id: id, button.link), .button(button))
        }
        if let index = try query.int(ListView.Name.link, in: 0...100_000) {
            guard let link = MessageHTML(message)?.link(at: index) else { throw Self.notFound }
            return (.html(index: index, link.target), .html(link: link.target, text: link.text))
        }
        return (.own(message.link ?? ""), .own)
    }

    /// Answers with the event source of devices, for the person who is signed in.
    @concurrent
    private func listen(_ request: Request, _ context: InboxRequestContext) async throws -> Response {
        do {
            let signedIn = try await signedIn(request)
            let lease = access.tokens.lease(of: signedIn)
            let stream = try await eventSource.stream(for: request, from: signedIn.person, lease: lease)
            return eventSource.response(of: stream, on: context.channel)
        } catch let error as SignedOut {
            throw error.problem
        }
    }

    // MARK: Shared by all routes

    /// Answers a request. If the browser accepts HTML, an error is shown as a page.
    private func answer(_ context: PageContext, _ handler: PageHandler) async throws -> Response {
        do {
            return try await handler(context)
        } catch {
            let request = context.request
            guard request.wantsHTML else {
                throw (error as? SignedOut)?.problem ?? error
            }
            if let error = error as? SignedOut { return signInForm(error, context) }
            let problem = try failures.problem(with: error, isRead: request.isRead, context.logger)
            let page = ErrorPage(problem, isAboutMessage: request.uri.path.contains("/messages/"))
            return PageResponse.page(
                page.html(context.frame),
                status: problem.status,
                nonce: context.frame.nonce,
                headers: problem.headers
            )
        }
    }

    /// Answers a request of the person who is signed in.
    ///
    /// - Throws: ``SignedOut``, or ``Problem``: 404 for a message that the inbox doesn't show, 429 beyond a limit.
    func personal(
        _ context: PageContext,
        _ body: (PersonReads, ByteShare) async throws -> Response
    ) async throws -> Response {
        let person = try await signedIn(context.request).person
        return try await requests.run(for: person) {
            do {
                return try await requestReads.run(for: person, on: context.channel, body)
            } catch let error as BudgetError {
                throw Problem(error)
            } catch is SetError {
                // The message was removed after it was read.
                throw Self.notFound
            } catch is RecordNotFoundError {
                // The person was erased after the check, and the token with them.
                throw SignedOut(rejection: access.tokens.logged(.erased))
            }
        }
    }

    /// Returns the message that the path names, for a page that shows it.
    ///
    /// - Throws: ``Problem`` 404 if the inbox doesn't show it, or if the person has deleted it.
    private func shown(_ context: PageContext, _ reads: PersonReads) async throws -> Message {
        let message = try await find(context, reads)
        guard message.deletedAt == nil else { throw Self.notFound }
        return message
    }

    /// Returns the message that the path names, also if the person has deleted it: a form or a link of a page that was
    /// loaded before is answered.
    ///
    /// - Throws: ``Problem`` 404 if the inbox doesn't show it.
    func find(_ context: PageContext, _ reads: PersonReads) async throws -> Message {
        guard let id = MessageID(try context.messageID),
            let message = try await reads.read({ [person = reads.person] reading in
                try reading.inbox(of: person).messages([id]).first
            })
        else { throw Self.notFound }
        return message
    }

    static let notFound = Problem(.notFound, "There is nothing at this address, or it no longer exists.")
}

extension Request {
    /// Whether the client accepts HTML.
    var wantsHTML: Bool { headers[.accept]?.lowercased().contains("text/html") ?? false }

    /// Whether a person opens this address now. False for a request of the page's script, which checks for news, and
    /// for a browser's prefetch.
    fileprivate var isOpening: Bool {
        (header("sec-fetch-dest") ?? "document") == "document" && header("sec-purpose") == nil
    }
}

extension ErrorPage {
    /// Creates the page of a problem.
    fileprivate init(_ problem: Problem, isAboutMessage: Bool) {
        switch problem.status {
        case .notFound: self.init(title: isAboutMessage ? .messageGone : .nothingHere)
        case .forbidden: self.init(title: .errorTitle, message: .ownPageOnly)
        case .internalServerError: self.init(title: .errorTitle, message: .errorMessage, isRetryable: true)
        default:
            self.init(title: .errorTitle, message: .actionFailed, isRetryable: problem.status.kind == .serverError)
            if problem.status.kind == .clientError { detail = problem.json["detail"]?.stringValue }
        }
    }
}
