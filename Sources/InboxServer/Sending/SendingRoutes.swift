import Foundation
import Groundwork
import Hummingbird
import InboxModel
import InboxService
import Logging

/// The routes of the app's backend for messages: `/v1/messages`.
struct SendingRoutes: Sendable {
    let storage: Storage
    let writer: Writer
    let access: Access
    let clock: any WallClock
    private let running = RunningKeys()

    /// The maximum size of a request to send, in bytes.
    static let maxSize = 16 * 1_048_576

    func add(to routes: Routes) {
        routes.route(
            "/v1/messages",
            [.list { request, _ in try await list(request) }, .post { request, _ in try await send(request) }]
        )
        routes.route(
            "/v1/messages/:id",
            [
                .get { request, context in try await message(context.parameters.require("id"), request) },
                .put { request, context in try await edit(context.parameters.require("id"), request) },
                .patch { request, context in try await patch(context.parameters.require("id"), request) },
                .delete { request, context in try await recall(context.parameters.require("id"), request) },
            ]
        )
    }

    private func send(_ request: Request) async throws -> Response {
        let apiKey = try access.authorize(request, for: .messages).id
        let bytes = try await request.jsonBytes(upTo: Self.maxSize)
        let reader = JSONReader(try JSON(parsing: bytes))
        let key = try Self.idempotencyKey(of: request, apiKey: apiKey, body: bytes)
        do {
            guard let key else { return try await send(reader, key: nil) }
            return try await running.run(key) { try await send(reader, key: key) }
        } catch let error as IdempotencyConflict {
            throw Problem(error)
        } catch let error as TooManyBroadcastsError {
            throw Problem(
                .conflict,
                "The limit of \(TooManyBroadcastsError.limit) unexpired messages to everyone is reached.",
                kind: .tooManyBroadcasts,
                pointer: error.pointer
            )
        }
    }

    private func send(_ reader: JSONReader, key: IdempotencyKey?) async throws -> Response {
        let messages: OutgoingMessages
        do {
            messages = try OutgoingMessages(checking: reader, now: clock.now)
        } catch {
            // A message that was valid when it was sent may have expired since.
            guard let key,
                let (status, response) = try await writer.write(
                    .independent,
                    needs: WriteNeeds(key: key),
                    { transaction in try transaction.storedResponse(for: key) }
                )
            else { throw error }
            return Self.response(status, response)
        }
        let needs = WriteNeeds(sending: messages, key: key)
        let (status, response) = try await writer.write(messages.scope, needs: needs) { transaction in
            if let key, let earlier = try transaction.storedResponse(for: key) { return earlier }
            let response = try transaction.send(messages).description
            if let key { try transaction.store(status: HTTPResponse.Status.created.code, response: response, for: key) }
            return (HTTPResponse.Status.created.code, response)
        }
        return Self.response(status, response)
    }

    private static func response(_ status: Int, _ json: String) -> Response {
        Response(HTTPResponse.Status(code: status), json: Array(json.utf8))
    }

    private static func idempotencyKey(of request: Request, apiKey: Int, body: [UInt8]) throws -> IdempotencyKey? {
        guard let header = try request.singleHeader("Idempotency-Key") else { return nil }
        guard let key = IdempotencyKey(apiKey: apiKey, header: header, body: body) else {
            throw Problem(.badRequest, "The Idempotency-Key has to be 1 to 255 visible ASCII characters.")
        }
        return key
    }

    private func list(_ request: Request) async throws -> Response {
        try access.authorize(request, for: .messages)
        let query = try QueryParameters(request, allowed: ["limit", "after", "campaign", "state", "since", "until"])
        let list = SentList(
            campaign: try Self.campaign(query["campaign"]),
            stage: try query.choice("state", by: \.sentName),
            since: try query.date("since")?.milliseconds,
            until: try query.date("until")?.milliseconds,
            page: Page(
                limit: try query.int("limit", in: SizedPage.limitRange) ?? SizedPage.defaultLimit,
                after: try query.messageID("after")
            )
        )
        return Response(json: try await storage.read { reading in try reading.sentMessages(list).json.utf8 })
    }

    private static func campaign(_ parameter: String?) throws -> String? {
        guard let campaign = parameter else { return nil }
        guard (1...MessageLimits.name).contains(campaign.utf8.count) else {
            throw Problem(.badRequest, "The parameter campaign has to be 1 to \(MessageLimits.name) bytes.")
        }
        return campaign
    }

    private func message(_ parameter: String, _ request: Request) async throws -> Response {
        try access.authorize(request, for: .messages)
        let id = MessageID(try Request.decoded(parameter))
        let message = try await storage.read { reading in try id.flatMap { try reading.message($0) } }
        guard let message else { throw Self.noSuchMessage }
        return Response(json: try message.json.utf8)
    }

    private func edit(_ parameter: String, _ request: Request) async throws -> Response {
        try access.authorize(request, for: .messages)
        let id = MessageID(try Request.decoded(parameter))
        let reader = try await request.json(upTo: Self.maxSize)
        let edit = try MessageEdit(checking: reader, now: clock.now)
        return try await answer { transaction in try id.flatMap { try transaction.edit($0, edit) } }
    }

    private func patch(_ parameter: String, _ request: Request) async throws -> Response {
        try access.authorize(request, for: .messages)
        let id = MessageID(try Request.decoded(parameter))
        let patch = try MessagePatch(checking: try await request.mergePatch(upTo: Self.maxSize))
        return try await answer { transaction in try id.flatMap { try transaction.patch($0, patch) } }
    }

    /// Returns a response with the message that a write returns.
    private func answer(_ write: @escaping @Sendable (WriteTransaction) throws -> StoredMessage?) async throws
        -> Response
    {
        do {
            guard let message = try await writer.write(write) else { throw Self.noSuchMessage }
            return Response(json: try message.json.utf8)
        } catch is MessageExpired {
            throw Problem(.conflict, "The message has expired. Send a new one.", kind: .messageExpired)
        }
    }

    private func recall(_ parameter: String, _ request: Request) async throws -> Response {
        try access.authorize(request, for: .messages)
        guard let id = MessageID(try Request.decoded(parameter)) else { throw Self.noSuchMessage }
        if storage.isShared, try await storage.read({ reading in try reading.isBroadcastOfMany(id) }) {
            let hidden = Locked<[Int: Int]>([:])
            while try await writer.write({ transaction in try transaction.beginRecall(of: id, hidden) }) {}
        }
        guard try await writer.write({ transaction in try transaction.recall(id) }) else { throw Self.noSuchMessage }
        return Response(status: .noContent)
    }

    /// The same for a recalled and an unknown message.
    private static let noSuchMessage = Problem(.notFound, "There is no message with that id.")
}

extension Problem {
    fileprivate init(_ conflict: IdempotencyConflict) {
        switch conflict {
        case .otherBody:
            self.init(
                .conflict,
                "The Idempotency-Key was used for another body. Nothing was sent; use a new key.",
                kind: .idempotencyKeyReused
            )
        case .stillRunning:
            self.init(
                .conflict,
                "A request with this Idempotency-Key is still running. Retry later to get its response.",
                kind: .idempotencyKeyInUse,
                headers: [.retryAfter: "1"]
            )
        }
    }
}
