import Groundwork
import Hummingbird
import InboxModel
import InboxService

/// The routes of surfaces' settings: `/v1/surfaces`.
struct SurfaceRoutes: Sendable {
    let storage: Storage
    let writer: Writer
    let access: Access

    /// The maximum size of a request, in bytes.
    static let maxSize = 65_536

    func add(to routes: Routes) {
        routes.route("/v1/surfaces", [.get { request, _ in try await list(request) }])
        routes.route(
            "/v1/surfaces/:id",
            [
                .get { request, context in try await surface(context.parameters.require("id"), request) },
                .put { request, context in try await put(context.parameters.require("id"), request) },
                .delete { request, context in try await delete(context.parameters.require("id"), request) },
            ]
        )
    }

    private func list(_ request: Request) async throws -> Response {
        try access.authorize(request, for: .surfaces)
        let surfaces = try await storage.read { reading in try reading.surfaces() }
        let response: JSON = ["surfaces": .array(try surfaces.map { try $0.json })]
        return Response(json: response.utf8)
    }

    private func surface(_ parameter: String, _ request: Request) async throws -> Response {
        try access.authorize(request, for: .surfaces)
        let id = try Self.id(parameter)
        guard let surface = try await storage.read({ reading in try reading.surface(id) }) else {
            throw Self.noSuchSurface
        }
        do {
            try Self.conditions(of: request).check(surface.tag)
        } catch is SurfaceChanged {
            throw Self.changed
        } catch is SurfaceMatched {
            // RFC 9110, sections 13.1.2 and 15.4.5.
            return Response(status: .notModified, headers: [.eTag: surface.tag, .cacheControl: "no-store"])
        }
        return try Self.answer(.ok, surface)
    }

    private func put(_ parameter: String, _ request: Request) async throws -> Response {
        try access.authorize(request, for: .surfaces)
        let id = try Self.id(parameter)
        let reader = try await request.json(upTo: Self.maxSize)
        let settings = try InboxSettings(checking: reader)
        let conditions = Self.conditions(of: request)
        do {
            let (surface, isNew) = try await writer.write { transaction in
                try transaction.put(settings, of: id, if: conditions)
            }
            return try Self.answer(isNew ? .created : .ok, surface)
        } catch is SurfaceChanged {
            throw Self.changed
        } catch is SurfaceMatched {
            throw Self.matched
        } catch is TooManySurfacesError {
            throw Problem(
                .conflict,
                "The limit of \(StoredSurface.limit) surfaces is reached.",
                kind: .tooManySurfaces
            )
        }
    }

    private func delete(_ parameter: String, _ request: Request) async throws -> Response {
        try access.authorize(request, for: .surfaces)
        let id = try Self.id(parameter)
        let conditions = Self.conditions(of: request)
        do {
            guard try await writer.write({ transaction in try transaction.deleteSurface(id, if: conditions) }) else {
                throw Self.noSuchSurface
            }
            return Response(status: .noContent)
        } catch is SurfaceChanged {
            throw Self.changed
        } catch is SurfaceMatched {
            throw Self.matched
        }
    }

    private static let noSuchSurface = Problem(.notFound, "There are no settings for a surface with that id.")
    private static let changed = Problem(
        .preconditionFailed,
        "The settings don't match If-Match. Read them again."
    )
    private static let matched = Problem(
        .preconditionFailed,
        "The settings match If-None-Match, so nothing was changed. Read them, and send their ETag as If-Match."
    )

    private static func conditions(of request: Request) -> Preconditions {
        Preconditions(ifMatch: request.headers[.ifMatch], ifNoneMatch: request.headers[.ifNoneMatch])
    }

    private static func answer(_ status: HTTPResponse.Status, _ surface: StoredSurface) throws -> Response {
        var response = Response(status, json: try surface.json.utf8)
        response.headers[.eTag] = surface.tag
        return response
    }

    private static func id(_ parameter: String) throws -> String {
        let id = try Request.decoded(parameter)
        guard StoredSurface.isValid(id) else { throw Problem(.badRequest, "The surface's id \(StoredSurface.rule).") }
        return id
    }
}
