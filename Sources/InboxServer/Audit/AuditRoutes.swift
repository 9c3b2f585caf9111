import Groundwork
import Hummingbird
import InboxModel
import InboxService

/// The route of the audit log: `/v1/audit`.
struct AuditRoutes: Sendable {
    let storage: Storage
    let access: Access

    func add(to routes: Routes) {
        routes.route("/v1/audit", [.get { request, _ in try await list(request) }])
    }

    private func list(_ request: Request) async throws -> Response {
        _ = try access.key(of: request, for: .audit)
        let query = try QueryParameters(request, allowed: ["kind", "person", "since", "until", "limit", "after"])
        let limit = try query.int("limit", in: PageLimits.limitRange) ?? PageLimits.defaultLimit
        let after = try query["after"].map { text in
            guard let id = AuditID(text) else {
                throw Problem(.badRequest, "The parameter after has to be an entry's id.")
            }
            return id
        }
        var list = AuditList(page: Page(limit: limit + 1, after: after))
        list.kind = try query["kind"].map { text in
            guard let kind = AuditKind(rawValue: text) else {
                let known = AuditKind.allCases.map(\.rawValue).joined(separator: ", ")
                throw Problem(.badRequest, "The parameter kind has to be one of \(known).")
            }
            return kind
        }
        list.person = query["person"]
        guard list.person.map(PersonName.isValid) ?? true else {
            throw Problem(.badRequest, "The parameter person \(PersonName.rule).")
        }
        (list.since, list.until) = (try query.date("since"), try query.date("until"))
        let entries = try await storage.read { [list] reading in
            try reading.auditEntries(list).map { ($0.id.text, try $0.json) }
        }
        return Response(json: PageLimits.response("entries", entries, limit: limit).utf8)
    }
}
