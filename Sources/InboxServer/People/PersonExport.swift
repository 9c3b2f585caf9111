import Foundation
import GRDB
import Groundwork
import Hummingbird
import InboxModel

/// All that the server holds of a person, as one JSON document that is written while it is read.
///
/// Read in parts, each on a snapshot of its own, so that a slow reader holds up no clean-up of the file. What is
/// removed meanwhile is left out, what comes meanwhile may be.
struct PersonExport: Sendable {
    let storage: Storage
    let person: StoredPerson
    let now: Date

    var response: Response {
        Response(
            status: .ok,
            headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                try await write(to: &writer)
                try await writer.finish(nil)
            }
        )
    }

    @concurrent
    private func write(to writer: inout any ResponseBodyWriter) async throws {
        var head = JSONObject([
            ("id", .string(person.person.name)), ("account", .string(person.person.account)),
            ("createdAt", JSON(Date(milliseconds: person.createdAt))), ("exportedAt", JSON(now)),
        ])
        head.add("attributes", try JSON(parsing: Array(person.attributes.utf8)))
        // The object stays open for the tables.
        try await writer.write(ByteBuffer(bytes: JSON.object(head).utf8.dropLast()))
        for table in PersonalTable.all where table.name != PersonalTable.attributes.name {
            try await write(table, to: &writer)
        }
        try await writer.write(ByteBuffer(string: "}"))
    }

    @concurrent
    private func write(_ table: PersonalTable, to writer: inout any ResponseBodyWriter) async throws {
        try await writer.write(ByteBuffer(string: ",\"\(table.name)\":["))
        let owner = table.owner(person.person)
        let keys = try await storage.read { db in try DatabaseValue.fetchAll(db, sql: table.keys, arguments: [owner]) }
        var isFirst = true
        for start in stride(from: 0, to: keys.count, by: table.partSize) {
            let part = keys[start..<min(start + table.partSize, keys.count)]
            let rows = try await storage.read { db in
                try part.compactMap { key in try db.row(table.row, [owner, key]).map { try table.json($0) } }
            }
            var bytes: [UInt8] = []
            for row in rows {
                if !isFirst { bytes.append(UInt8(ascii: ",")) }
                isFirst = false
                row.write(to: &bytes)
            }
            try await writer.write(ByteBuffer(bytes: bytes))
        }
        try await writer.write(ByteBuffer(string: "]"))
    }
}
