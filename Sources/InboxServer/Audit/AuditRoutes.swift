import Groundwork
import Hummingbird
import InboxModel
import InboxService

/// The route of the audit log: `/v1/audit`.
struct AuditRoutes: Sendable {
    let storage: Storage
    let access: Access

    func add(to routes: Routes) {
        routes.route("/v1/audit", [.list { request, _ in try await list(request) }])
    }

    private func list(_ request: Request) async throws -> Response {
        try access.authorize(request, for: .audit)
        let query = try QueryParameters(request, allowed: ["kind", "person", "since", "until", "limit", "after"])
        let limit = try query.int("limit", in: PageLimits.limitRange) ?? PageLimits.defaultLimit
        let after = try query.id("after", "an entry's id") { AuditID($0) }
        var list = AuditList(page: Page(limit: limit + 1, after: after))
        list.kind = try query.choice("kind", by: \.rawValue)
        list.person = try query.person("person")
        (list.since, list.until) = (try query.date("since"), try query.date("until"))
        let entries = try await storage.read { [list] reading in
            try reading.auditEntries(list).map { ($0.id.text, try $0.json) }
        }
        return Response(json: PageLimits.response("entries", entries, limit: limit).utf8)
    }
}
