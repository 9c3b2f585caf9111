import Crypto
import Foundation
import Groundwork
import Hummingbird
import InboxService

/// A cache of complete responses to requests that only read. The key is the person, the states of the person's inbox
/// and of the surfaces, and the request's bytes.
///
/// Such a response depends on nothing else, so entries are never invalidated: a change gives the inbox or the surfaces
/// a new state, under which there are no entries. The cache serves devices of one person that open on the same list,
/// tabs of a browser, and a device that repeats a request after a break.
///
/// There are two generations. When the young one reaches half the limit, it becomes the old one, and the former old one
/// is dropped. An entry that is used stays, one that isn't is dropped after two generations, and nothing has to be
/// sorted.
final class ResponseCache: Sendable {
    struct Key: Hashable, Sendable {
        let account: String
        let state: PersonState
        let surface: Int
        let request: SHA256.Digest

        /// - Returns: Nil if the request is larger than ``ResponseCache/requestLimit``.
        init?(account: String, state: PersonState, surface: Int, request: [UInt8]) {
            guard request.count <= ResponseCache.requestLimit else { return nil }
            self.account = account
            self.state = state
            self.surface = surface
            self.request = SHA256.hash(data: request)
        }
    }

    private struct Entry: Sendable {
        let response: ByteBuffer
        /// Nil if the entry is valid as long as the states of its key are the latest.
        let validUntil: Date?

        /// The size in memory, with 256 bytes for the key and its entry in the table.
        var size: Int { response.readableBytes + 256 }
    }

    private struct Generations: Sendable {
        var young: [Key: Entry] = [:]
        var old: [Key: Entry] = [:]
        /// The size of the young generation, in bytes.
        var size = 0
        /// The number of removals.
        var removals = 0
    }

    /// The maximum size of all cached responses, in bytes.
    static let limit = 64 * 1_048_576
    /// The maximum size of a cached response, in bytes.
    static let entryLimit = 512 * 1_024
    /// The maximum size of a request whose response is cached, in bytes.
    static let requestLimit = 64 * 1_024

    // Accessed only in `withLock`. Nothing blocks while the lock is held.
    private let generations = Locked(Generations())
    private let limit: Int

    init(limit: Int = limit) {
        self.limit = limit
    }

    /// The cached response to a request, if it is still valid.
    ///
    /// - Parameter now: The current time. A response that is valid until then, or until an earlier time, isn't
    ///   returned.
    subscript(_ key: Key, at now: Date) -> ByteBuffer? {
        generations.withLock { generations in
            var entry = generations.young[key]
            if entry == nil, let old = generations.old.removeValue(forKey: key) {
                add(old, for: key, to: &generations)
                entry = old
            }
            guard let entry, entry.validUntil.map({ now < $0 }) ?? true else { return nil }
            return entry.response
        }
    }

    /// The number of removals until now, for ``add(_:for:validUntil:after:)``.
    var removals: Int { generations.withLock { $0.removals } }

    /// Stores the response to a request, unless it is larger than an entry may be.
    ///
    /// - Parameters:
    ///   - time: The end of the response's validity, or nil if it is valid as long as the states of its key are the
    ///     latest.
    ///   - removals: ``removals`` before the person was looked up. If there was another one since, the person may be
    ///     the one, and the response isn't kept.
    func add(_ response: ByteBuffer, for key: Key, validUntil time: Date? = nil, after removals: Int) {
        guard response.readableBytes <= Self.entryLimit else { return }
        generations.withLock { generations in
            guard generations.removals == removals else { return }
            add(Entry(response: response, validUntil: time), for: key, to: &generations)
        }
    }

    /// Removes the responses to a person who was erased.
    func remove(of account: String) {
        generations.withLock { generations in
            generations.removals += 1
            generations.young = generations.young.filter { $0.key.account != account }
            generations.size = generations.young.values.reduce(0) { $0 + $1.size }
            generations.old = generations.old.filter { $0.key.account != account }
        }
    }

    private func add(_ entry: Entry, for key: Key, to generations: inout Generations) {
        if generations.size + entry.size > limit / 2 {
            generations = Generations(old: generations.young, removals: generations.removals)
        }
        let earlier = generations.young.updateValue(entry, forKey: key)
        generations.size += entry.size - (earlier?.size ?? 0)
    }
}
