import Groundwork
import Hummingbird
import InboxModel
import InboxService

/// The routes of a person's inbox, as the app's backend may read and change it: `/v1/people/{id}/messages`.
struct PersonMessageRoutes: Sendable {
    let storage: Storage
    let writer: Writer
    let access: Access
    let clock: any WallClock

    /// The maximum size of a request, in bytes.
    static let maxSize = 65_536

    func add(to routes: Routes) {
        routes.route(
            "/v1/people/:id/messages",
            [.list { request, context in try await list(context.parameters.require("id"), request) }]
        )
        routes.route(
            "/v1/people/:id/messages/:message",
            [
                .get { request, context in try await message(context, request) },
                .patch { request, context in try await mark(context, request) },
                .delete { request, context in try await recall(context, request) },
            ]
        )
    }

    private func list(_ parameter: String, _ request: Request) async throws -> Response {
        try access.authorize(request, for: .people)
        let name = try Request.person(parameter)
        let query = try QueryParameters(request, allowed: ["limit", "after", "state"])
        let filter: BackendMessage.Filter? = try query.choice("state", by: \.rawValue)
        let page = Page(
            limit: try query.int("limit", in: SizedPage.limitRange) ?? SizedPage.defaultLimit,
            after: try query.messageID("after")
        )
        let now = clock.now
        let list = try await read(of: name) { inbox in try inbox.backendMessages(filter, page: page, now: now) }
        return Response(json: list.json.utf8)
    }

    private func message(_ context: InboxRequestContext, _ request: Request) async throws -> Response {
        try access.authorize(request, for: .people)
        let (name, id) = try Self.parameters(context)
        let message = try await read(of: name) { inbox in try id.flatMap { try inbox.backendMessage($0) } }
        guard let message else { throw Self.noSuchMessage }
        return Response(json: try message.json.utf8)
    }

    private func mark(_ context: InboxRequestContext, _ request: Request) async throws -> Response {
        try access.authorize(request, for: .people)
        let (name, id) = try Self.parameters(context)
        let changes = try BackendDateChanges(checking: try await request.mergePatch(upTo: Self.maxSize))
        let message = try await write(for: name) { transaction, person in
            try id.flatMap { try transaction.mark($0, changes, for: person) }
        }
        guard let message else { throw Self.noSuchMessage }
        return Response(json: try message.json.utf8)
    }

    private func recall(_ context: InboxRequestContext, _ request: Request) async throws -> Response {
        try access.authorize(request, for: .people)
        let (name, id) = try Self.parameters(context)
        let isRecalled = try await write(for: name) { transaction, person in
            try id.map { try transaction.recall($0, for: person) } ?? false
        }
        guard isRecalled else { throw Self.noSuchMessage }
        return Response(status: .noContent)
    }

    /// Reads a person's inbox, and on PostgreSQL no other person's rows.
    ///
    /// - Throws: ``Problem`` 404 if the person is unknown.
    private func read<Value: Sendable>(
        of name: String,
        _ body: @escaping @Sendable (PersonInbox) throws -> Value
    ) async throws -> Value {
        let person = try Self.known(try await storage.readBriefly { reading in try reading.person(named: name) })
        return try await storage.read(of: person) { reading in try body(reading.inbox(of: person)) }
    }

    /// Runs a write for a person.
    ///
    /// - Throws: ``Problem`` 404 if the person is unknown, also if another server has just erased the person.
    private func write<Value: Sendable>(
        for name: String,
        _ body: @escaping @Sendable (WriteTransaction, Person) throws -> Value
    ) async throws -> Value {
        do {
            return try await writer.write(.person(name)) { transaction in
                try body(transaction, try Self.known(transaction.reading.person(named: name)))
            }
        } catch is RecordNotFoundError {
            throw PeopleRoutes.noSuchPerson
        }
    }

    private static func parameters(_ context: InboxRequestContext) throws -> (name: String, id: MessageID?) {
        (
            try Request.person(context.parameters.require("id")),
            MessageID(try Request.decoded(context.parameters.require("message")))
        )
    }

    /// Returns the person that was found.
    ///
    /// - Throws: ``Problem`` 404 if the person is unknown.
    private static func known(_ stored: StoredPerson?) throws -> Person {
        guard let stored else { throw PeopleRoutes.noSuchPerson }
        return stored.person
    }

    private static let noSuchMessage = Problem(.notFound, "The person's inbox has no message with that id.")
}
