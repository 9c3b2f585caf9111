import Groundwork
import Hummingbird
import InboxModel
import InboxService

/// The routes of people, `/v1/people`, and of the receipts of their erasure, `/v1/erasures`.
struct PeopleRoutes: Sendable {
    let storage: Storage
    let writer: Writer
    let access: Access
    let eraser: Eraser
    let clock: any WallClock

    /// The maximum size of a request, in bytes. It leaves room for more white space than the attributes themselves may
    /// have.
    static let maxSize = 65_536

    func add(to routes: Routes) {
        routes.route("/v1/people", [.list { request, _ in try await list(request) }])
        routes.route(
            "/v1/people/:id",
            [
                .get { request, context in try await person(context.parameters.require("id"), request) },
                .put { request, context in try await put(context.parameters.require("id"), request) },
                .delete { request, context in try await erase(context.parameters.require("id"), request) },
            ]
        )
        routes.route(
            "/v1/people/:id/export",
            [.get { request, context in try await export(context.parameters.require("id"), request) }]
        )
        routes.route(
            "/v1/erasures/:receipt",
            [.get { request, context in try await receipt(context.parameters.require("receipt"), request) }]
        )
    }

    private func list(_ request: Request) async throws -> Response {
        try access.authorize(request, for: .people)
        let query = try QueryParameters(request, allowed: ["prefix", "limit", "after"])
        let limit = try query.int("limit", in: PageLimits.limitRange) ?? PageLimits.defaultLimit
        let prefix = query["prefix"] ?? ""
        guard prefix.isEmpty || PersonName.isValid(prefix) else {
            throw Problem(.badRequest, "The parameter prefix \(PersonName.rule).")
        }
        let page = Page(limit: limit + 1, after: try query.person("after"))
        let part = PeopleList(prefix: prefix, page: page)
        let people = try await storage.read { reading in try reading.people(part) }
        return Response(json: PageLimits.response("people", people, limit: limit).utf8)
    }

    private func person(_ parameter: String, _ request: Request) async throws -> Response {
        try access.authorize(request, for: .people)
        return Response(json: try await stored(parameter).json.utf8)
    }

    private func put(_ parameter: String, _ request: Request) async throws -> Response {
        try access.authorize(request, for: .people)
        let name = try Request.person(parameter)
        let reader = try await request.json(upTo: Self.maxSize)
        let attributes = try PersonAttributes(checking: reader)
        let (person, isNew) = try await writer.write(.person(name)) { transaction in
            try transaction.put(attributes, of: name)
        }
        return Response(isNew ? .created : .ok, json: try person.json.utf8)
    }

    private func erase(_ parameter: String, _ request: Request) async throws -> Response {
        let key = try access.authorize(request, for: .people).id
        let erasure = try await eraser.erase(try Request.person(parameter), by: .key(key))
        return Response(json: try erasure.json.utf8)
    }

    private func export(_ parameter: String, _ request: Request) async throws -> Response {
        let key = try access.authorize(request, for: .people).id
        let person = try await stored(parameter)
        // Audited first, so that no export lacks an entry.
        try await writer.write(.independent) { transaction in
            try transaction.audit(.personExported, by: .key(key), person: person.person.name)
        }
        return PersonExport(storage: storage, person: person, now: clock.now).response
    }

    private func receipt(_ parameter: String, _ request: Request) async throws -> Response {
        try access.authorize(request, for: .people)
        let id = try Request.decoded(parameter)
        guard let erasure = try await storage.read({ reading in try reading.erasure(id) }) else {
            throw Problem(.notFound, "There is no receipt with that id.")
        }
        return Response(json: try erasure.json.utf8)
    }

    /// Returns the person that a parameter of the path names.
    ///
    /// - Throws: ``Problem`` 404 if the person is unknown.
    private func stored(_ parameter: String) async throws -> StoredPerson {
        let name = try Request.person(parameter)
        guard let person = try await storage.read({ reading in try reading.person(named: name) }) else {
            throw Self.noSuchPerson
        }
        return person
    }

    /// The same for an erased and an unknown person.
    static let noSuchPerson = Problem(.notFound, "There is no person with that id.")
}

extension PersonExport {
    var response: Response {
        Response(
            status: .ok,
            headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                try await write(to: &writer) { writer, bytes in try await writer.write(ByteBuffer(bytes: bytes)) }
                try await writer.finish(nil)
            }
        )
    }
}
