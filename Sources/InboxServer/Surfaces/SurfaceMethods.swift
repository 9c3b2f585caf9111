import Groundwork
import InboxModel
import InboxService
import JMAP

/// The methods of `InboxSurface`: the settings of surfaces, which are the same in each account.
struct SurfaceMethods: Sendable {
    let people: People
    let core: CoreCapability

    /// The methods by name.
    var all: [String: JMAPMethod] {
        let type = MessageCapability.surfaceType
        return [
            type + "/get": JMAPMethod(capability: MessageCapability.uri, isReadOnly: true) { call in
                let arguments = try GetArguments(reading: call.reader) { (id) throws(JSONValueError) in try id.string()
                }
                return MethodResult(try await get(arguments, call.reads))
            },
            type + "/changes": JMAPMethod(capability: MessageCapability.uri, isReadOnly: true) { call in
                MethodResult(try await changes(ChangesArguments(reading: call.reader), call.reads))
            },
        ]
    }

    /// Answers `InboxSurface/get` (RFC 8620, section 5.1). A surface's id is the name that the backend has given it, so
    /// any text is an id here. One that names no surface isn't found.
    private func get(_ arguments: GetArguments, _ reads: PersonReads) async throws -> [UInt8] {
        let person = reads.person
        guard arguments.accountID == person.account else { throw MethodError.accountNotFound }
        let known = Set(SettingsField.allCases.map(\.rawValue) + ["id"])
        guard arguments.properties?.allSatisfy(known.contains) ?? true else {
            throw MethodError.invalidArguments("/properties has a name that isn't a property of surfaces")
        }
        guard arguments.ids?.count ?? 0 <= core.maxObjectsInGet else {
            throw MethodError.requestTooLarge("At most \(core.maxObjectsInGet) surfaces may be requested in one call.")
        }
        let (surfaces, state) = try await reads.read { reading in
            (try reading.surfaces(), try reading.surfaceState())
        }
        let requested = arguments.ids.map { Set($0) }
        let list = surfaces.filter { requested?.contains($0.id) ?? true }
        let found = Set(list.map(\.id))
        var seen: Set<String> = []
        let missing = (arguments.ids ?? []).filter { !found.contains($0) && seen.insert($0).inserted }
        let response: JSON = [
            "accountId": .string(person.account), "state": .string(String(state)),
            "list": .array(try list.map { try Self.only(arguments.properties, of: $0.json) }),
            "notFound": JSON(missing),
        ]
        return response.utf8
    }

    /// Answers `InboxSurface/changes` (RFC 8620, section 5.2). A surface that was deleted and set again counts as
    /// created. Without changes, the database isn't read, since each device sends this along with the request for
    /// message changes.
    private func changes(_ arguments: ChangesArguments, _ reads: PersonReads) async throws -> [UInt8] {
        let person = reads.person
        guard arguments.accountID == person.account else { throw MethodError.accountNotFound }
        guard let since = Int(arguments.sinceState), since >= 0, String(since) == arguments.sinceState else {
            throw MethodError.cannotCalculateChanges
        }
        let limit = min(arguments.maxChanges ?? core.maxObjectsInGet, core.maxObjectsInGet)
        if since == people.surfaceState {
            return Self.answer(since: since, reached: since, [], hasMore: false, for: person)
        }
        return try await reads.read { reading in
            let state = try reading.surfaceState()
            guard try reading.knowsSurfaceChanges(since: since) else { throw MethodError.cannotCalculateChanges }
            let changes = try reading.surfaceChanges(since: since, limit: limit + 1)
            let page = changes.prefix(limit)
            let hasMore = changes.count > limit
            let reached = hasMore ? page.last?.sequence ?? since : state
            return Self.answer(since: since, reached: reached, page, hasMore: hasMore, for: person)
        }
    }

    private static func answer(
        since: Int,
        reached: Int,
        _ page: ArraySlice<SurfaceChange>,
        hasMore: Bool,
        for person: Person
    ) -> [UInt8] {
        // A surface that was created and destroyed in between isn't reported.
        func ids(created: Bool, destroyed: Bool) -> JSON {
            JSON(page.filter { $0.isNew == created && $0.isDestroyed == destroyed }.map(\.id))
        }
        let response: JSON = [
            "accountId": .string(person.account), "oldState": .string(String(since)),
            "newState": .string(String(reached)), "hasMoreChanges": .bool(hasMore),
            "created": ids(created: true, destroyed: false), "updated": ids(created: false, destroyed: false),
            "destroyed": ids(created: false, destroyed: true),
        ]
        return response.utf8
    }

    private static func only(_ properties: [String]?, of json: JSON) -> JSON {
        guard let properties else { return json }
        var object = JSONObject([("id", json["id"] ?? .null)])
        for name in properties { object.add(name, json[name] ?? .null) }
        return .object(object)
    }
}
