import Crypto
import Groundwork
import Hummingbird

/// Whole answers to requests that only read, by the person, the state of the person's inbox and of the surfaces, and the request's bytes.
///
/// What such a request is answered with depends on these alone, so an answer never has to be taken back: a change gives the
/// inbox or the surfaces another state, under which nothing is found. Devices of one person that open on the same list, tabs of a browser, and
/// a device that asks again after a break are answered from here.
///
/// There are two generations. A new one begins when the young one is half the limit, and the old one then goes: what is asked
/// for lives on, what isn't is gone after two of them, and nothing has to be sorted.
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

    private struct Generations: Sendable {
        var young: [Key: ByteBuffer] = [:]
        var old: [Key: ByteBuffer] = [:]
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

    subscript(_ key: Key) -> ByteBuffer? {
        generations.withLock { generations in
            if let answer = generations.young[key] { return answer }
            guard let answer = generations.old.removeValue(forKey: key) else { return nil }
            add(answer, for: key, to: &generations)
            return answer
        }
    }

    func add(_ answer: ByteBuffer, for key: Key) {
        guard answer.readableBytes <= Self.entryLimit else { return }
        generations.withLock { add(answer, for: key, to: &$0) }
    }

    /// Drops the answers to a person who was erased.
    func remove(of account: String) {
        generations.withLock { generations in
            generations.young = generations.young.filter { $0.key.account != account }
            generations.old = generations.old.filter { $0.key.account != account }
        }
    }

    private func add(_ answer: ByteBuffer, for key: Key, to generations: inout Generations) {
        if generations.size + answer.readableBytes > limit / 2 {
            generations = Generations(old: generations.young)
        }
        let earlier = generations.young.updateValue(answer, forKey: key)
        // What a key and its place in the table take, besides the answer.
        generations.size += answer.readableBytes + 256
        if let earlier { generations.size -= earlier.readableBytes + 256 }
    }
}
