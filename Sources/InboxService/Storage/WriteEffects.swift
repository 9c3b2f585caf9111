/// The changes of a durable write, for waiting streams and services.
package struct WriteEffects: Sendable {
    /// The latest own sequence of each person whose inbox changed.
    var own: [Int: Int] = [:]
    /// The latest broadcast sequence, if broadcasts changed.
    var broadcast: Int?
    /// The latest sequence of surfaces, if settings changed.
    var surface: Int?
    /// The time of the earliest action that was added to the due-queue, in milliseconds since 1970.
    package var due: Int?
    /// The number of sent messages, including broadcasts.
    package var sent = 0
    /// The number of writes.
    package var writes = 0
    /// Whether the outbox may have due deliveries.
    package var deliveries = false
    /// The people whose tokens were ended before their expiry. 0 stands for anyone.
    var endedTokens: Set<Int> = []
    /// The bytes of the names of people whose tokens were ended, and who were unknown then.
    var endedUnknown: Set<[UInt8]> = []
    /// Whether API keys, or the keys that sign tokens, have changed.
    var keys = false
    /// The people who were erased.
    var erased: Set<Int> = []
    /// The stored events of each person who has sent some.
    var eventUses: [Int: EventQuota.Use] = [:]
    /// Whether more may have changed than is listed here, because the outcome of a commit is unknown.
    var isIncomplete = false

    mutating func merge(_ later: WriteEffects) {
        own.merge(later.own) { _, latest in latest }
        broadcast = later.broadcast ?? broadcast
        surface = later.surface ?? surface
        due = [due, later.due].compactMap { $0 }.min()
        sent += later.sent
        writes += later.writes
        deliveries = deliveries || later.deliveries
        endedTokens.formUnion(later.endedTokens)
        endedUnknown.formUnion(later.endedUnknown)
        keys = keys || later.keys
        erased.formUnion(later.erased)
        eventUses.merge(later.eventUses) { _, latest in latest }
        isIncomplete = isIncomplete || later.isIncomplete
    }
}
