package import Groundwork
package import Replica

/// Record types that are neither messages nor mail, one for each way of syncing.
///
/// - ``Replica/RecordType/note``: the newest records, with retention, counts, due times and a queue of events.
/// - ``Replica/RecordType/outlined``: the same, with an outline of the records that aren't on the device.
/// - ``Replica/RecordType/folder``: all records in one response.
/// - ``Replica/RecordType/photo``: all of very many records, in pages, with members and a server that can't recognize
///   repeated writes.
/// - ``Replica/RecordType/reply``: only the records that queries need, in groups.
extension RecordType {
    package static let noteCapability = "https://example.com/notes"

    /// Notes, of which a device has the newest. Notes outside the device aren't known.
    package static let note = notes(
        phase: "CASE WHEN {doneAt} IS NOT NULL THEN 2 WHEN {hiddenUntil} > :now THEN 1 ELSE 0 END"
    )

    /// Notes that are known by their outline if they aren't on the device.
    package static var outlined: RecordType {
        notes(
            phase: "CASE WHEN {hiddenUntil} > :now THEN 1 ELSE 0 END",
            open: "{phase} = 0 AND {doneAt} IS NULL",
            outline: OutlineRule(
                columns: ["folder", "stars", "at", "hiddenUntil", "doneAt", "color"],
                order: "at",
                bulk: BulkRule(
                    argument: "markAllDone",
                    result: "markedAllDone",
                    columns: ["doneAt"],
                    condition: "{phase} = 0 AND {doneAt} IS NULL",
                    scope: "folder"
                ),
                indexes: ["phase, at WHERE doneAt IS NULL"]
            )
        )
    }

    private static func notes(
        phase: String,
        open: String = "{phase} = 0",
        outline: OutlineRule? = nil
    ) -> RecordType {
        RecordType(
            name: "Note",
            capability: noteCapability,
            table: "note",
            columns: [
                RecordColumn("text", .text, missing: .text("")),
                RecordColumn("folder", .text),
                RecordColumn("stars", .integer, missing: .integer(0)),
                RecordColumn("at", .date, missing: .invalid),
                RecordColumn("hiddenUntil", .date),
                RecordColumn("doneAt", .date, isWritable: true),
                RecordColumn("color", .text, isWritable: true),
            ],
            phase: phase,
            due: "CASE WHEN {doneAt} IS NULL AND {hiddenUntil} > :now THEN {hiddenUntil} END",
            counts: CountRule(
                buckets: ["folder"],
                counters: [("open", open), ("starred", "{phase} = 0 AND {stars} > 0"), ("done", "{phase} = 2")]
            ),
            indexes: ["phase, at", "at WHERE doneAt IS NULL"],
            window: .newest(
                filter: .null,
                sort: [["property": "at", "isAscending": false]],
                retention: RetentionRule(active: "{phase} < 2", evictable: "{stars} = 0", oldestFirst: "at, id")
            ),
            queue: .noteEvent,
            outline: outline
        )
    }

    /// Folders, which a device has completely.
    package static let folder = RecordType(
        name: "Folder",
        capability: noteCapability,
        table: "folder",
        columns: [RecordColumn("name", .text, isWritable: true)],
        window: .all
    )

    /// Photos, of which a device has all, newest first. Their folders are members.
    package static let photo = RecordType(
        name: "Photo",
        capability: noteCapability,
        table: "photo",
        columns: [
            RecordColumn("at", .date, missing: .invalid),
            RecordColumn("title", .text, isWritable: true),
            RecordColumn("folders", .members, missing: .text("[]"), isWritable: true, refersTo: "folder"),
        ],
        window: .everything(sort: [["property": "at", "isAscending": false]]),
        repeatDetection: .byComparing
    )

    /// Replies, of which a device has those that queries need, in whole topics.
    package static let reply = RecordType(
        name: "Reply",
        capability: noteCapability,
        table: "reply",
        columns: [
            RecordColumn("at", .date, missing: .invalid),
            RecordColumn("topic", .text, missing: .invalid),
            RecordColumn("text", .text, missing: .text("")),
            RecordColumn("likedAt", .date, isWritable: true),
        ],
        window: .slices(
            sort: [["property": "at", "isAscending": false]],
            groups: RecordGroups(
                column: "topic",
                type: "Topic",
                members: "replies",
                collapse: "collapseTopics",
                resolve: { filter, _ in filter }
            )
        ),
        repeatDetection: .byComparing
    )
}

extension QueueType {
    /// Events about notes, of which a device keeps five.
    package static let noteEvent = QueueType(name: "NoteEvent", capability: RecordType.noteCapability, limit: 5)
}

/// Returns a note's JSON object.
package func note(
    _ id: String,
    at: String = "2026-04-01T08:00:00Z",
    _ more: KeyValuePairs<String, JSON> = [:]
) -> JSON {
    var object = JSONObject([("id", .string(id)), ("at", .string(at))])
    for (name, value) in more { object[name] = value }
    return .object(object)
}
