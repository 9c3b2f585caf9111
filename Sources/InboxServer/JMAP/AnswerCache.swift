import Crypto
import Foundation
import Groundwork
import Hummingbird
import InboxService

/// Whole answers to requests that only read, by the person, the state of the person's inbox and of the surfaces, and
/// the request's bytes.
///
/// What such a request is answered with depends on these alone, so an answer never has to be taken back: a change gives
/// the inbox or the surfaces another state, under which nothing is found. Devices of one person that open on the same
/// list, tabs of a browser, and a device that asks again after a break are answered from here.
///
/// There are two generations. A new one begins when the young one is half the limit, and the old one then goes: what is
/// asked for lives on, what isn't is gone after two of them, and nothing has to be sorted.
final class AnswerCache: Sendable {
    struct Key: Hashable, Sendable {
        let account: String
        let state: PersonState
        let surface: Int
        let request: SHA256.Digest

        /// - Returns: Nil for a request that is larger than those whose answers are kept.
        init?(account: String, state: PersonState, surface: Int, request: [UInt8]) {
            guard request.count <= AnswerCache.requestLimit else { return nil }
            self.account = account
            self.state = state
            self.surface = surface
            self.request = SHA256.hash(data: request)
        }
    }

    private struct Entry: Sendable {
        let answer: ByteBuffer
        /// Nil for as long as the states of its key are the latest.
        let validUntil: Date?
    }

    private struct Generations: Sendable {
        var young: [Key: Entry] = [:]
        var old: [Key: Entry] = [:]
        /// In bytes, of the young.
        var size = 0
    }

    /// How many bytes of answers are kept at most.
    static let limit = 64 * 1_048_576
    /// Answers of more bytes aren't kept.
    static let entryLimit = 512 * 1_024
    /// Nor are those to requests of more bytes.
    static let requestLimit = 64 * 1_024

    // Reached in `withLock` alone; nothing waits while it is held.
    private let generations = Locked(Generations())
    private let limit: Int

    init(limit: Int = limit) {
        self.limit = limit
    }

    /// - Parameter now: An answer that is valid until then, or an earlier time, isn't given.
    subscript(_ key: Key, at now: Date) -> ByteBuffer? {
        generations.withLock { generations in
            var entry = generations.young[key]
            if entry == nil, let old = generations.old.removeValue(forKey: key) {
                add(old, for: key, to: &generations)
                entry = old
            }
            guard let entry, entry.validUntil.map({ now < $0 }) ?? true else { return nil }
            return entry.answer
        }
    }

    /// - Parameter time: Until when it holds; nil for as long as the states of its key are the latest.
    func add(_ answer: ByteBuffer, for key: Key, validUntil time: Date? = nil) {
        guard answer.readableBytes <= Self.entryLimit else { return }
        generations.withLock { add(Entry(answer: answer, validUntil: time), for: key, to: &$0) }
    }

    /// Drops the answers to a person who was erased.
    func remove(of account: String) {
        generations.withLock { generations in
            generations.young = generations.young.filter { $0.key.account != account }
            generations.old = generations.old.filter { $0.key.account != account }
        }
    }

    private func add(_ entry: Entry, for key: Key, to generations: inout Generations) {
        let size = entry.answer.readableBytes
        if generations.size + size > limit / 2 {
            generations = Generations(old: generations.young)
        }
        let earlier = generations.young.updateValue(entry, forKey: key)
        // What a key and its place in the table take, besides the answer.
        generations.size += size + 256
        if let earlier { generations.size -= earlier.answer.readableBytes + 256 }
    }
}
