import Groundwork

/// How many bytes the requests of each person have in memory, with their answers until those are sent.
final class ByteShares: Sendable {
    fileprivate let limit: Int
    // By person; reached in `withLock` alone.
    private let sizes = Locked<[Int: Int]>([:])

    /// - Parameter limit: How many bytes one person's may have.
    init(_ limit: Int) {
        self.limit = limit
    }

    /// Makes a share that is empty.
    func share(of person: Person) -> ByteShare { ByteShare(person.id, self) }

    fileprivate func add(_ bytes: Int, of person: Int) -> Bool {
        sizes.withLock { sizes in
            let size = sizes[person, default: 0] + bytes
            guard size <= limit else { return false }
            sizes[person] = size
            return true
        }
    }

    fileprivate func remove(_ bytes: Int, of person: Int) {
        sizes.withLock { sizes in
            let rest = sizes[person, default: 0] - bytes
            sizes[person] = rest <= 0 ? nil : rest
        }
    }
}

/// The part of a person's bytes that one request uses. It is returned when this is deallocated: with the answer's last
/// byte, or with the connection.
package final class ByteShare: Sendable {
    private let person: Int
    private let shares: ByteShares
    private let size = Locked(0)

    fileprivate init(_ person: Int, _ shares: ByteShares) {
        (self.person, self.shares) = (person, shares)
    }

    /// How many bytes the person's requests may have together.
    package var limit: Int { shares.limit }

    /// - Returns: Whether there was room for so many more; otherwise nothing is added.
    package func add(_ bytes: Int) -> Bool {
        guard shares.add(bytes, of: person) else { return false }
        size.withLock { $0 += bytes }
        return true
    }

    deinit {
        shares.remove(size.withLock { $0 }, of: person)
    }
}
