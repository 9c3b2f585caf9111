package import Foundation
package import Groundwork
package import JMAP

/// The records of one type on a scripted server, with the standard methods of RFC 8620, section 5: get, changes, query
/// and set.
///
/// The state is a number that each change increments. A batch of writes is applied once (``Batch``).
package struct ScriptedRecords: Sendable {
    /// A record and the states of its history.
    package struct Record: Sendable {
        /// The record's JSON object. A test may store another value, as a faulty server would send it.
        package var json: JSON
        /// The state at which it was created.
        package let created: Int
        /// The state at which it last changed.
        package fileprivate(set) var changed: Int
        /// The state at which the server, not the person, last changed it.
        package fileprivate(set) var edited: Int
    }

    /// The rules of a type.
    package struct Rules: Sendable {
        /// The values that queries and outlines use for absent properties.
        package var defaults: [String: JSON] = [:]
        /// The properties that `set` may change. If there are any, `changes` names them as `updatedProperties` when
        /// nothing else has changed (RFC 8621, section 2.2).
        package var personal: [String] = []
        /// The names in a patch that aren't properties.
        package var annotations: Set<String> = []
        /// The argument of `query` that reduces each group to its first record, and the property that names a group.
        package var collapse: (argument: String, property: String)?
        /// The property by which a query without a sort orders the records, the greatest value first.
        package var order = "id"
        /// The write of `set` that reaches records without naming them.
        package var bulk: Bulk?

        package init() {}
    }

    /// A write that reaches records without naming them, such as "mark all read".
    package struct Bulk: Sendable {
        /// The argument of `set`.
        package var argument: String
        /// The member of its response.
        package var result: String
        /// The date properties that it sets where they are null.
        package var properties: [String]
        /// The property to one value of which it may be limited.
        package var scope: String
        /// Whether it reaches a record at a time.
        package var reaches: @Sendable (_ json: JSON, _ time: Date) -> Bool
        /// The annotation that a write states for a record that it reaches; nil for none.
        package var annotation: @Sendable (_ json: JSON, _ write: JSON) -> String?

        package init(
            argument: String,
            result: String,
            properties: [String],
            scope: String,
            annotation: @escaping @Sendable (_ json: JSON, _ write: JSON) -> String? = { _, _ in nil },
            reaches: @escaping @Sendable (_ json: JSON, _ time: Date) -> Bool
        ) {
            self.argument = argument
            self.result = result
            self.properties = properties
            self.scope = scope
            self.annotation = annotation
            self.reaches = reaches
        }
    }

    package let rules: Rules
    package private(set) var records: [String: Record] = [:]
    /// The present state.
    package private(set) var state = 0
    /// The state before which changes are forgotten.
    private var oldest = 0
    private var destroyed: [String: (created: Int, at: Int)] = [:]
    private var batches: [String: (number: Int, answer: JSON)] = [:]

    /// The error of every method; nil for none.
    package var failure: MethodError?
    /// The error of `set`; nil for none.
    package var setFailure: MethodError?
    /// The records whose changes are refused.
    package var refusals: [String: SetError] = [:]
    /// The number of records from which `get` answers `requestTooLarge`. The session doesn't state it.
    package var tooManyRecords = Int.max
    /// The length of a page from which `query` and `outline` answer `requestTooLarge`. The session doesn't state it.
    package var tooLongPage = Int.max
    /// The number of updates beyond which `set` answers `requestTooLarge`. The session doesn't state it.
    package var setLimit = Int.max
    /// The applied changes in order, as `id/path=value` with the value as JSON.
    package private(set) var appliedWrites: [String] = []
    /// The annotations of applied changes in order, as `id=value`.
    package private(set) var appliedAnnotations: [String] = []

    package init(_ rules: Rules = Rules()) {
        self.rules = rules
    }

    /// Adds or replaces a record.
    package mutating func put(_ id: String, _ json: JSON) {
        state += 1
        records[id] = Record(json: json, created: records[id]?.created ?? state, changed: state, edited: state)
    }

    /// Adds or replaces a record as a server that was restored from a backup: the state is a new one, and `changes`
    /// reports nothing.
    package mutating func putUnreported(_ id: String, _ json: JSON) {
        state += 1
        records[id] = Record(json: json, created: 0, changed: 0, edited: 0)
    }

    /// Removes a record.
    ///
    /// - Parameter isReported: False for a server that can't calculate the changes of a removal.
    /// - Returns: Whether there was a record.
    @discardableResult
    package mutating func remove(_ id: String, isReported: Bool = true) -> Bool {
        guard let record = records.removeValue(forKey: id) else { return false }
        state += 1
        if isReported { destroyed[id] = (record.created, state) } else { oldest = state }
        return true
    }

    /// Forgets all past changes. A client with an older state needs a full sync.
    package mutating func forgetChanges() { oldest = state }

    // MARK: - Methods

    /// Answers `get` (RFC 8620, section 5.1).
    package func get(_ arguments: JSON) throws(MethodError) -> JSON {
        if let failure { throw failure }
        let ids = arguments["ids"]?.arrayValue?.compactMap(\.stringValue) ?? records.keys.sorted()
        if ids.count >= tooManyRecords { throw .requestTooLarge("too many records") }
        let properties = arguments["properties"]?.arrayValue.map { Set($0.compactMap(\.stringValue) + ["id"]) }
        return [
            "state": .string(String(state)),
            "list": .array(ids.compactMap { id in records[id].map { Self.selected(properties, of: $0.json) } }),
            "notFound": JSON(ids.filter { records[$0] == nil }),
        ]
    }

    private static func selected(_ properties: Set<String>?, of json: JSON) -> JSON {
        guard let properties, let object = json.objectValue else { return json }
        var selected = JSONObject(object.members.filter { properties.contains($0.name) }.map { ($0.name, $0.value) })
        // A requested property without a value is null.
        for name in properties.sorted() where selected[name] == nil { selected.add(name, .null) }
        return .object(selected)
    }

    /// Answers `changes` (RFC 8620, section 5.2).
    package func changes(_ arguments: JSON) throws(MethodError) -> JSON {
        if let failure { throw failure }
        guard let since = number(arguments["sinceState"]), since <= state, since >= oldest else {
            throw .cannotCalculateChanges
        }
        // Records that were created and destroyed since then aren't reported.
        let all =
            (records.map { (id: $0.key, at: $0.value.changed, created: $0.value.created, isGone: false) }
            + destroyed.filter { $0.value.created <= since }
            .map { (id: $0.key, at: $0.value.at, created: 0, isGone: true) })
            .filter { $0.at > since }.sorted { $0.at < $1.at }
        let page = all.prefix(arguments["maxChanges"]?.intValue ?? .max)
        let newState = page.count == all.count ? state : page.last?.at ?? since
        let updated = page.filter { !$0.isGone && $0.created <= since }
        var answer = JSONObject([
            ("oldState", .string(String(since))),
            ("newState", .string(String(newState))),
            ("hasMoreChanges", .bool(page.count < all.count)),
            ("created", JSON(page.filter { !$0.isGone && $0.created > since }.map(\.id))),
            ("updated", JSON(updated.map(\.id))),
            ("destroyed", JSON(page.filter(\.isGone).map(\.id))),
        ])
        if !rules.personal.isEmpty {
            let isPersonal =
                !updated.isEmpty && updated.allSatisfy { records[$0.id].map { $0.edited <= since } ?? false }
            answer.add("updatedProperties", isPersonal ? JSON(rules.personal) : .null)
        }
        return .object(answer)
    }

    /// Answers `query` (RFC 8620, section 5.5).
    package func query(_ arguments: JSON) throws(MethodError) -> JSON {
        if let failure { throw failure }
        try check(arguments["limit"])
        let query = ScriptedQuery(arguments, rules)
        var found = query.found(in: records)
        if let (argument, property) = rules.collapse, arguments[argument]?.boolValue == true {
            var seen: Set<JSON> = []
            found = found.filter { id in seen.insert(records[id]?.json[property] ?? .null).inserted }
        }
        let page = found.dropFirst(arguments["position"]?.intValue ?? 0).prefix(arguments["limit"]?.intValue ?? .max)
        var answer = JSONObject([
            ("ids", JSON(Array(page))), ("queryState", .string(String(state))), ("canCalculateChanges", false),
        ])
        if arguments["calculateTotal"]?.boolValue == true { answer.add("total", JSON(found.count)) }
        return .object(answer)
    }

    /// Answers `set` (RFC 8620, section 5.3). Only updates are known.
    ///
    /// - Parameter limit: The maximum number of updates.
    package mutating func set(_ arguments: JSON, limit: Int) throws(MethodError) -> JSON {
        if let error = failure ?? setFailure { throw error }
        guard let update = arguments["update"]?.objectValue else { throw .invalidArguments("update") }
        if update.count > min(limit, setLimit) { throw .requestTooLarge("maxObjectsInSet") }
        let batch = arguments[Batch.argument]
        let (epoch, number) = (batch?["epoch"]?.stringValue, batch?["number"]?.intValue)
        if let epoch, let answered = batches[epoch], answered.number == number { return answered.answer }
        var updated = JSONObject()
        var notUpdated = JSONObject()
        for patch in update.members {
            if let refusal = refusals[patch.name] {
                notUpdated.add(patch.name, refusal.json)
            } else if records[patch.name] != nil, let changes = patch.value.objectValue {
                apply(changes, to: patch.name)
                updated.add(patch.name, .null)
            } else {
                notUpdated.add(patch.name, SetError.notFound.json)
            }
        }
        var answer = JSONObject([("updated", .object(updated)), ("notUpdated", .object(notUpdated))])
        if let bulk = rules.bulk, let write = arguments[bulk.argument] {
            answer.add(bulk.result, try apply(bulk, write))
        }
        answer.add("newState", .string(String(state)))
        if let epoch, let number { batches[epoch] = (number, .object(answer)) }
        return .object(answer)
    }

    private mutating func apply(_ changes: JSONObject, to id: String) {
        guard var record = records[id] else { return }
        for change in changes.members {
            if rules.annotations.contains(change.name) {
                appliedAnnotations.append("\(id)=\(change.value)")
            } else {
                record.json = Self.patched(record.json, change.name, change.value)
                appliedWrites.append("\(id)/\(change.name)=\(change.value)")
            }
        }
        state += 1
        record.changed = state
        records[id] = record
    }

    /// Applies one path of a PatchObject (RFC 8620, section 5.3).
    private static func patched(_ json: JSON, _ path: String, _ value: JSON) -> JSON {
        guard let tokens = JSONPointer(parsing: "/" + path)?.tokens, var object = json.objectValue,
            let name = tokens.first
        else { return json }
        if tokens.count == 1 {
            object[name] = value
        } else {
            var members = object[name]?.objectValue ?? JSONObject()
            members[tokens[1]] = value == .null ? nil : value
            object[name] = .object(members)
        }
        return .object(object)
    }

    private mutating func apply(_ bulk: Bulk, _ write: JSON) throws(MethodError) -> JSON {
        guard let upTo = number(write["upToState"]), let at = write["at"],
            let time = at.stringValue.flatMap({ RFC3339.date(from: $0) })
        else {
            throw .invalidArguments(bulk.argument)
        }
        let scope = write[bulk.scope]
        let reached = records(upTo: upTo).filter { record in
            bulk.reaches(record.json, time) && (scope.map { $0 == value(bulk.scope, of: record.json) } ?? true)
        }
        for (id, json) in reached {
            let missing = bulk.properties.filter { json[$0] ?? .null == .null }
            apply(JSONObject(missing.map { ($0, at) }), to: id)
            if let annotation = bulk.annotation(json, write) { appliedAnnotations.append("\(id)=\(annotation)") }
        }
        return ["count": JSON(reached.count), "after": .null]
    }

    /// Returns the records that were there at a state, in the order of their ids.
    package func records(upTo state: Int) -> [(id: String, json: JSON)] {
        records.filter { $0.value.created <= state }.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) }
    }

    /// Returns a property of a record, or its default.
    func value(_ name: String, of json: JSON) -> JSON { json[name] ?? rules.defaults[name] ?? .null }

    private func check(_ limit: JSON?) throws(MethodError) {
        if limit?.intValue ?? 0 >= tooLongPage { throw .requestTooLarge("the page is too long") }
    }

    private func number(_ state: JSON?) -> Int? { state?.stringValue.flatMap { Int($0) } }

    // MARK: - Outlines

    /// Answers `outline`: a page of the records of a state, of each the values of some properties.
    package func outline(_ arguments: JSON) throws(MethodError) -> JSON {
        if let failure { throw failure }
        guard let upTo = number(arguments["upToState"]), upTo <= state, upTo >= oldest else {
            throw .cannotCalculateChanges
        }
        try check(arguments["limit"])
        let names = (arguments["properties"]?.arrayValue ?? []).compactMap(\.stringValue)
        let after = arguments["after"]?.stringValue ?? ""
        let rest = records(upTo: upTo).filter { $0.id > after && $0.json.objectValue != nil }
        let page = rest.prefix(arguments["limit"]?.intValue ?? .max)
        let rows = page.map { record in JSON.array(names.map { outlined(value($0, of: record.json)) }) }
        return [
            "state": .string(String(state)), "list": .array(rows),
            "after": page.count < rest.count ? .string(page.last?.id ?? "") : .null,
        ]
    }

    /// A value as an outline has it: dates are milliseconds since 1970, and booleans are 0 and 1.
    private func outlined(_ value: JSON) -> JSON {
        if let text = value.stringValue, let date = RFC3339.date(from: text) { return JSON(date.milliseconds) }
        return value.boolValue.map { JSON($0 ? 1 : 0) } ?? value
    }

    /// Answers `counts`: of each bucket the sums of some numbers.
    ///
    /// - Parameters:
    ///   - buckets: The properties whose values form a bucket.
    ///   - counters: The names of the numbers.
    ///   - numbers: Returns a record's numbers; nil for a record that isn't counted.
    package func counts(
        buckets: [String],
        counters: [String],
        _ numbers: (JSON) -> [Int]?
    ) throws(MethodError) -> JSON {
        if let failure { throw failure }
        var sums: [[JSON]: [Int]] = [:]
        for (_, json) in records(upTo: .max) {
            guard let numbers = numbers(json) else { continue }
            let bucket = buckets.map { value($0, of: json) }
            sums[bucket] = zip(sums[bucket] ?? counters.map { _ in 0 }, numbers).map { $0 + $1 }
        }
        let list = sums.sorted { "\($0.key)" < "\($1.key)" }.map { bucket, numbers in
            JSON.object(JSONObject(Array(zip(buckets, bucket)) + zip(counters, numbers).map { ($0, JSON($1)) }))
        }
        return ["state": .string(String(state)), "list": .array(list)]
    }
}
