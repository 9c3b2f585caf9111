import Groundwork
import JMAP

/// The requests for ids and groups, and the reading of their answers, which contain no records.
struct SliceRequests: Sendable {
    let type: RecordType
    let groups: RecordGroups
    let account: String

    /// A page of a `/query`.
    struct Part: Sendable {
        let filter: JSON
        let isCollapsed: Bool
        let position: Int
        let limit: Int
    }

    /// The answer to a page.
    enum Answer: Sendable {
        case ids([String], isLast: Bool)
        /// The server rejected the filter.
        case refused(MethodError)
    }

    /// Returns a request with one `/query` call for each page.
    func request(_ parts: [Part], sort: JSON) -> Request {
        request(
            parts.enumerated().map { number, part in
                Invocation(
                    "\(type.name)/query",
                    JSONObject([
                        ("accountId", .string(account)), ("filter", part.filter), ("sort", sort),
                        ("position", JSON(part.position)), ("limit", JSON(part.limit)),
                        (groups.collapse, .bool(part.isCollapsed)),
                    ]),
                    callID: "\(number)"
                )
            }
        )
    }

    /// Reads the answers to pages, in the order of the pages.
    ///
    /// - Throws: ``SyncError``.
    func answers(_ response: Response, to parts: [Part]) throws(SyncError) -> [Answer] {
        var answers: [Answer] = []
        for (number, part) in parts.enumerated() {
            guard let answer = response.answer(to: "\(number)") else { throw .malformed("no answer to a query") }
            guard answer.name != "error" else {
                let error = MethodError(json: answer.arguments.value)
                guard Self.refusals.contains(error.type) else { throw .method(error) }
                answers.append(.refused(error))
                continue
            }
            guard let ids = answer.arguments["ids"]?.elements?.compactMap(\.value.stringValue) else {
                throw .malformed("no ids in the answer to a query")
            }
            // A server that returns fewer ids than requested reports its limit (RFC 8620, section 5.5).
            let isShort = ids.count < part.limit && answer.arguments["limit"]?.value.intValue == nil
            answers.append(.ids(ids, isLast: ids.isEmpty || isShort))
        }
        return answers
    }

    /// The errors that reject a filter, such as one with a folder that no longer exists.
    private static let refusals: Set = ["unsupportedFilter", "invalidArguments"]

    /// Returns the request for the groups of records.
    func groupsRequest(of ids: [String]) -> Request {
        request([get(type.name, ids, ["id", groups.column])])
    }

    /// Reads the names of groups, by record id.
    func groups(_ response: Response) throws(SyncError) -> [String: String] {
        let records = try list(response).compactMap { record in
            record["id"]?.value.stringValue.flatMap { id in record[groups.column]?.value.stringValue.map { (id, $0) } }
        }
        return Dictionary(records, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the request for the records of groups.
    func membersRequest(of names: [String]) -> Request {
        request([get(groups.type, names, ["id", groups.members])])
    }

    /// Reads the ids of the records of groups.
    func members(_ response: Response) throws(SyncError) -> [String] {
        try list(response).flatMap { $0[groups.members]?.elements?.compactMap(\.value.stringValue) ?? [] }
    }

    private func request(_ calls: [Invocation]) -> Request {
        Request(using: [CoreCapability.uri, type.capability], methodCalls: calls)
    }

    private func get(_ name: String, _ ids: [String], _ properties: [String]) -> Invocation {
        Invocation(
            "\(name)/get",
            JSONObject([("accountId", .string(account)), ("ids", JSON(ids)), ("properties", JSON(properties))]),
            callID: "get"
        )
    }

    private func list(_ response: Response) throws(SyncError) -> [JSONText] {
        guard let answer = response.answer(to: "get") else { throw .malformed("no answer to a get") }
        guard answer.name != "error" else { throw .method(MethodError(json: answer.arguments.value)) }
        guard let list = answer.arguments["list"]?.elements else { throw .malformed("no list in an answer") }
        return list
    }
}
