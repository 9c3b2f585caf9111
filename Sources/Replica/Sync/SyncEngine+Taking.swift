import GRDB
import Groundwork
import JMAP

/// What is there, taken as a whole: of a type whose changes can't be told, or aren't known yet.
extension SyncEngine {
    /// Takes the whole collection, and with it the state.
    ///
    /// - Returns: The state, and whether nothing more waits to be sent.
    func takeAll(
        _ type: RecordType,
        account: String,
        limits: CoreCapability
    ) async throws -> (state: String, isDone: Bool) {
        let (answer, sent) = try await exchange(type, account: account, limits: limits, pull: .all)
        guard case .records(let records) = answer.pull else {
            try await apply(type, answer, sent) { _ in }
            throw SyncError.malformed("there is more of \(type.name) than one answer holds")
        }
        let isDone = try await apply(type, answer, sent) { writer in
            try writer.replace(type, with: records.list)
            if answer.movesState { try writer.setState(type, account: account, records.state) }
        }
        return (records.state, isDone)
    }

    /// Brings up to date what is held, where the server can't tell what has changed of it, and takes all else where a
    /// device has everything; of slices, all are due then.
    ///
    /// What isn't there yet goes on where it was broken off, also in another process; what is held is asked for from
    /// the start again.
    ///
    /// - Parameter carriesWrites: Whether what the person does meanwhile is sent along: not while it isn't known what
    ///   became of earlier writes.
    /// - Returns: The state from which changes are to be asked for.
    func takeHeld(
        _ type: RecordType,
        account: String,
        limits: CoreCapability,
        carriesWrites: Bool
    ) async throws -> String {
        defer { progress.set(nil) }
        let (state, held) = try await stateOfHeld(
            type,
            account: account,
            limits: limits,
            carriesWrites: carriesWrites
        )
        if case .everything = type.window {
            let all = try await ids(of: type, account: account, limits: limits)
            let here = Set(held)
            let missing = all.filter { !here.contains($0) }
            let listed = Set(all)
            // Only what the server says is gone is removed: those are asked for too.
            let unlisted = held.filter { !listed.contains($0) }
            let numbers = (done: all.count - missing.count, total: all.count)
            try await take(
                type,
                missing + unlisted,
                account: account,
                limits: limits,
                of: numbers,
                since: state,
                carriesWrites: carriesWrites
            )
        }
        try await store.write { writer in
            guard try writer.db.syncPosition(type) != nil else { throw StoreCleared() }
            if case .slices = type.window { try writer.makeSlicesDue(type) }
            try writer.setState(type, account: account, state)
            try writer.setWindowState(type, nil)
        }
        return state
    }

    /// The state as of which what is held is current. What is of another time is asked for anew.
    ///
    /// - Returns: The state, and the ids of what is held, of which some may be gone by then.
    private func stateOfHeld(
        _ type: RecordType,
        account: String,
        limits: CoreCapability,
        carriesWrites: Bool
    ) async throws -> (state: String, held: [String]) {
        let (begun, held) = try await store.read { db in
            (try db.windowState(type), try String.fetchAll(db, sql: "SELECT id FROM \"\(type.table)\""))
        }
        if let begun { return (begun, held) }
        let (answer, sent) = try await exchange(
            type,
            account: account,
            limits: limits,
            pull: .state,
            carriesWrites: false
        )
        guard case .records(let records) = answer.pull else { throw SyncError.malformed("an answer to something else") }
        let state = records.state
        // Nothing of it is current.
        try await take(
            type,
            held,
            account: account,
            limits: limits,
            of: (0, held.count),
            since: state,
            carriesWrites: carriesWrites
        )
        try await apply(type, answer, sent) { writer in try writer.setWindowState(type, state) }
        return (state, held)
    }

    /// All ids, the newest first, each once.
    ///
    /// Where the list changes between two pages, one may slip past: then it is asked for from the start, and all that
    /// was ever in it counts.
    private func ids(of type: RecordType, account: String, limits: CoreCapability) async throws -> [String] {
        var ids: [String] = []
        var known: Set<String> = []
        for _ in 0..<Self.mostReadings {
            var first: String?
            var position = 0
            var isSame = true
            while isSame {
                let (answer, _) = try await exchange(
                    type,
                    account: account,
                    limits: limits,
                    pull: .ids(position: position, limit: Self.idsPerQuery),
                    carriesWrites: false
                )
                guard case .ids(let page, let total, let queryState, _) = answer.pull else {
                    throw SyncError.malformed("an answer to something else")
                }
                ids += page.filter { known.insert($0).inserted }
                position += page.count
                first = first ?? queryState
                isSame = first == queryState
                if page.isEmpty || total.map({ position >= $0 }) ?? false { break }
            }
            if isSame { break }
        }
        return ids
    }

    private static let idsPerQuery = 10_000
    private static let mostReadings = 5

    /// Asks for records by id, chunk by chunk, and says how far it has come.
    ///
    /// - Parameters:
    ///   - numbers: How many are there, and of how many.
    ///   - state: The state from which changes will be asked for. What comes with another one may be gone again by
    ///     then, untold.
    ///   - isAsked: Whether a query or the person asked for them: they stay for a while then, besides the window.
    func take(
        _ type: RecordType,
        _ ids: [String],
        account: String,
        limits: CoreCapability,
        of numbers: (done: Int, total: Int),
        since state: String,
        carriesWrites: Bool,
        isAsked: Bool = false
    ) async throws {
        var rest = ids[...]
        var chunk = min(limits.maxObjectsInGet, 500)
        while !rest.isEmpty {
            let done = min(numbers.total, numbers.done + ids.count - rest.count)
            progress.set(SyncProgress(type: type.name, done: done, total: numbers.total))
            let wanted = Array(rest.prefix(chunk))
            let answer: SyncAnswer
            let sent: Outgoing
            do {
                (answer, sent) = try await exchange(
                    type,
                    account: account,
                    limits: limits,
                    pull: .records(wanted),
                    carriesWrites: carriesWrites
                )
            } catch SyncError.transport(let error) where error.isAboutSize && wanted.count > 1 {
                // What went along may have been done: a server that doesn't know it again is looked at first, in the
                // next round.
                guard try await mayRepeat(type) else { throw SyncError.transport(error) }
                chunk = wanted.count / 2
                continue
            }
            switch answer.pull {
            case .records(let records):
                try await apply(type, answer, sent) { writer in
                    try writer.apply(type, records.list)
                    try writer.remove(type, records.gone)
                    if records.state != state { try writer.markUnconfirmed(type, records.list) }
                    if isAsked { try writer.markAsked(type, wanted) }
                }
                rest = rest.dropFirst(wanted.count)
            case .tooLarge where wanted.count > 1:
                try await apply(type, answer, sent) { _ in }
                chunk = wanted.count / 2
            default:
                throw SyncError.malformed("an answer to something else")
            }
        }
    }

    /// Starts anew without losing anything: asks for all that is held, drops only what the server says is gone, and
    /// takes the newest.
    ///
    /// - Returns: The state from which changes are to be asked for.
    func resync(_ type: RecordType, account: String, limits: CoreCapability) async throws -> String {
        var held = try await store.read { db in
            try String.fetchAll(db, sql: "SELECT id FROM \"\(type.table)\" ORDER BY rowid")
        }[...]
        var chunk = limits.maxObjectsInGet
        var earliestState: String?
        while !held.isEmpty {
            let ids = Array(held.prefix(chunk))
            let (answer, sent) = try await exchange(type, account: account, limits: limits, pull: .records(ids))
            switch answer.pull {
            case .records(let records):
                earliestState = earliestState ?? records.state
                try await apply(type, answer, sent) { writer in
                    try writer.apply(type, records.list)
                    try writer.remove(type, records.gone)
                }
                held = held.dropFirst(chunk)
            case .tooLarge where ids.count > 1:
                try await apply(type, answer, sent) { _ in }
                chunk = ids.count / 2
            default:
                throw SyncError.malformed("an answer to something else")
            }
        }
        return try await takeWindow(type, account: account, limits: limits, state: earliestState)
    }

    /// Takes the newest records, and with the last of them the state.
    ///
    /// Where the list changes between two pages, one may slip past: then it is asked for from the start.
    func takeWindow(
        _ type: RecordType,
        account: String,
        limits: CoreCapability,
        state earliest: String?
    ) async throws -> String {
        let most = try await store.read { [settings] db in try settings.newDeviceLimit(of: type, db) }
        var state = earliest
        var position = 0
        var page = limits.maxObjectsInGet
        var readings = 1
        var first: String?
        while true {
            let wanted = min(page, most.map { $0 - position } ?? page)
            let (answer, sent) = try await exchange(
                type,
                account: account,
                limits: limits,
                pull: .window(position: position, limit: wanted),
                wantsCounts: try await wantsCounts(type)
            )
            switch answer.pull {
            case .window(let window):
                let start = state ?? window.state
                state = start
                let hasMoved = position > 0 && window.queryState != first && readings < Self.mostReadings
                first = window.queryState
                position = hasMoved ? 0 : position + window.ids
                if hasMoved { readings += 1 }
                let isLast =
                    !hasMoved && (window.ids == 0 || most.map { position >= $0 } ?? false)
                try await apply(type, answer, sent) { [settings] writer in
                    try writer.apply(type, window.records.list)
                    try writer.remove(type, window.records.gone)
                    if window.records.state != start { try writer.markUnconfirmed(type, window.records.list) }
                    if let limit = try settings.deviceLimit(of: type, writer.db) {
                        try writer.evict(type, limit: limit)
                    }
                    if isLast, answer.movesState { try writer.setState(type, account: account, start) }
                }
                if isLast { return start }
            case .tooLarge where page > 1:
                try await apply(type, answer, sent) { _ in }
                page = max(1, wanted / 2)
            default:
                throw SyncError.malformed("an answer to something else")
            }
        }
    }
}

extension TransportError {
    /// Whether asking for less may help.
    fileprivate var isAboutSize: Bool {
        switch self {
        case .timedOut, .tooLarge: true
        case .unreachable: false
        }
    }
}
