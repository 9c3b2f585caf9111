package import Foundation
import Groundwork
import InboxModel

/// The export of everything that the server stores about a person, a JSON document that is written while it is read.
///
/// It is read in parts, each on a snapshot of its own, so that a slow reader doesn't block checkpoints of the database.
/// Rows deleted during the export are omitted. Rows added meanwhile may be omitted.
package struct PersonExport: Sendable {
    let storage: Storage
    let person: StoredPerson
    let now: Date

    package init(storage: Storage, person: StoredPerson, now: Date) {
        self.storage = storage
        self.person = person
        self.now = now
    }

    /// Writes the document in pieces.
    @concurrent
    package func write<Sink>(
        to sink: inout Sink,
        _ write: @concurrent (inout Sink, [UInt8]) async throws -> Void
    ) async throws {
        var head = JSONObject([
            ("id", .string(person.person.name)), ("account", .string(person.person.account)),
            ("createdAt", JSON(Date(milliseconds: person.createdAt))), ("exportedAt", JSON(now)),
        ])
        head.add("attributes", try JSON(parsing: Array(person.attributes.utf8)))
        // The object stays open for the tables that follow.
        try await write(&sink, Array(JSON.object(head).utf8.dropLast()))
        for table in PersonalTable.all where table.name != PersonalTable.attributes.name {
            try await self.write(table, to: &sink, write)
        }
        try await write(&sink, Array("}".utf8))
    }

    @concurrent
    private func write<Sink>(
        _ table: PersonalTable,
        to sink: inout Sink,
        _ write: @concurrent (inout Sink, [UInt8]) async throws -> Void
    ) async throws {
        try await write(&sink, Array(",\"\(table.name)\":[".utf8))
        let owner = table.owner(person.person)
        // On PostgreSQL, nothing of another person can be read then.
        let reader = table.isOfPerson ? person.person : nil
        let keys = try await storage.read(of: reader) { reading in try reading.keys(of: owner, in: table) }
        var isFirst = true
        for start in stride(from: 0, to: keys.count, by: table.partSize) {
            let part = keys[start..<min(start + table.partSize, keys.count)]
            let rows = try await storage.read(of: reader) { reading in
                try part.compactMap { key in try reading.row(key, of: owner, in: table) }
            }
            var bytes: [UInt8] = []
            for row in rows {
                if !isFirst { bytes.append(UInt8(ascii: ",")) }
                isFirst = false
                row.write(to: &bytes)
            }
            try await write(&sink, bytes)
        }
        try await write(&sink, Array("]".utf8))
    }
}
