import Foundation
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

/// `Documentation/REST.md` agrees with the OpenAPI document.
@Suite(.timeLimit(.minutes(10))) struct RESTPageTests {
    /// The cells of each row of the table of requests.
    private static func rows() throws -> [[String]] {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: package.appending(path: "Documentation/REST.md"), encoding: .utf8)
        let methods = ["GET", "PUT", "POST", "PATCH", "DELETE"]
        return page.split(separator: "\n").filter { line in methods.contains { line.hasPrefix("| `\($0) /") } }
            .map { line in
                line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            }
    }

    /// The expected row of an operation: the request with its parameters, the scope, whether there is a body, and the
    /// success statuses.
    private static func row(of operation: OpenAPI.Operation) -> [String] {
        let names = operation.parameters.filter { $0["in"] == "query" }.compactMap { $0["name"]?.stringValue }
        let query = names.isEmpty ? "" : "?" + names.joined(separator: "&")
        return [
            "`\(operation.method.rawValue.uppercased()) \(operation.path)\(query)`",
            operation.scope.map { "`\($0.rawValue)`" } ?? "none", operation.body == nil ? "none" : "a body",
            operation.successes.map { String($0.status) }.joined(separator: ", "),
        ]
    }

    @Test func `the table in REST.md lists every operation as the OpenAPI document does`() throws {
        let rows = try Self.rows().map { cells in
            // The response's cell begins with its status.
            let statuses = cells[3].prefix { $0.isNumber || $0 == "," || $0 == " " }.trimmingCharacters(
                in: .whitespaces
            )
            return [cells[0], cells[1], cells[2] == "none" ? "none" : "a body", statuses]
        }
        let expected = OpenAPI.operations.map(Self.row)
        for row in expected where !rows.contains(row) { Issue.record("missing: \(row)") }
        for row in rows where !expected.contains(row) { Issue.record("not in the description: \(row)") }
        #expect(rows.count == expected.count)
    }
}
