import Foundation
import Groundwork
import Hummingbird
import InboxAdapters
import InboxService

/// The routes that import people's messages from other systems: `/v1/import/zeta`, `/v1/import/bloomreach` and
/// `/v1/import/adobe`.
struct ImportRoutes: Sendable {
    let writer: Writer
    let access: Access
    let clock: any WallClock

    /// The number of messages per transaction, so that other writes run in between.
    private static let partSize = 250

    func add(to routes: Routes) {
        for source in ImportSource.allCases {
            routes.route(
                "/v1/import/\(source.rawValue)",
                [.post { request, _ in try await importData(request, from: source) }]
            )
        }
    }

    private func importData(_ request: Request, from source: ImportSource) async throws -> Response {
        let holder = try access.authorize(request, for: .messages)
        let canChangeSurfaces = holder.scopes.contains(.surfaces)
        let reader = try await request.json(upTo: SendingRoutes.maxSize)
        let now = clock.now
        let requested = try ImportRequest(checking: reader, from: source, now: now)
        // Audited first, so that no import lacks an entry.
        try await writer.write(.independent) { transaction in
            let detail = JSONObject([("source", .string(source.rawValue)), ("items", JSON(requested.items.count))])
            try transaction.audit(.messagesImported, by: .key(holder.id), person: requested.person, detail: detail)
        }
        var report = ImportReport()
        for start in stride(from: 0, to: requested.items.count, by: Self.partSize) {
            let part = requested.items[start..<min(start + Self.partSize, requested.items.count)]
            let hasSettings = part.contains { item in
                if case .success(.settings) = item.content { true } else { false }
            }
            let results = try await writer.write(hasSettings ? .shared : .person(requested.person)) { transaction in
                try part.map { item in
                    switch item.content {
                    case .success(.message(let message)):
                        ImportReport.Result(
                            message.externalID,
                            try transaction.importMessage(message, for: requested.person, now: now),
                            undecided: item.undecided
                        )
                    case .success(.settings(let settings)):
                        ImportReport.Result(
                            settings,
                            try transaction.importSettings(settings, canChangeSurfaces: canChangeSurfaces)
                        )
                    case .failure(let error):
                        try item.externalID.flatMap { id in
                            try transaction.known(id, from: source, of: requested.person)
                                .map { ImportReport.Result(id, .known($0)) }
                        } ?? ImportReport.Result(error)
                    }
                }
            }
            for (item, result) in zip(part, results) { report.add(result, of: item) }
        }
        return Response(json: report.json.utf8)
    }
}

/// The results of the messages, in the request's order.
private struct ImportReport {
    /// The result of one message, as the response states it.
    struct Result: Sendable {
        let status: String
        let members: [JSONObject.Member]

        init(_ externalID: String, _ outcome: ImportOutcome, undecided: JSONPointer? = nil) {
            var id: MessageID?
            switch outcome {
            case .imported(let new): (status, id) = ("imported", new)
            case .known(let earlier): (status, id) = ("known", earlier)
            case .expired: status = "expired"
            }
            members =
                [("externalId", .string(externalID))] + (id.map { [("id", .string($0.text))] } ?? [])
                + (undecided.map { [("undecided", .string($0.description))] } ?? [])
        }

        init(_ settings: ImportedSettings, _ outcome: SettingsOutcome) {
            switch outcome {
            case .imported: status = "imported"
            case .known: status = "known"
            case .rejected(let problem):
                let error = AdapterError(.notAcceptable, at: settings.pointer / "scope", problem)
                (status, members) = Self.rejection(error)
                return
            }
            members = [("surface", .string(settings.surface))]
        }

        init(_ error: AdapterError) {
            (status, members) = Self.rejection(error)
        }

        private static func rejection(_ error: AdapterError) -> (String, [JSONObject.Member]) {
            let problem = JSONValueError(pointer: error.location, problem: error.problem)
            let detail = problem.sentence(about: "The request")
            return ("refused", [("pointer", .string(error.pointer)), ("detail", .string(detail))])
        }
    }

    /// The statuses, in the order of the response's counts.
    static let statuses = ["imported", "known", "expired", "refused"]

    private var counts: [String: Int] = [:]
    private var results: [JSON] = []

    mutating func add(_ result: Result, of item: ImportItem) {
        counts[result.status, default: 0] += 1
        let indexes =
            [("index", item.index)] + (item.item.map { [("item", $0)] } ?? [])
            + (item.consequence.map { [("rule", $0.rule), ("consequence", $0.index)] } ?? [])
        let head: [JSONObject.Member] = indexes.map { ($0, JSON($1)) } + [("status", .string(result.status))]
        results.append(.object(JSONObject(head + result.members)))
    }

    var json: JSON {
        let totals = Self.statuses.map { ($0, JSON(counts[$0] ?? 0)) }
        return .object(JSONObject(totals + [("results", .array(results))]))
    }
}
