import Groundwork

/// The bytes in memory of each person's requests, and of their responses until they are sent.
final class ByteShares: Sendable {
    fileprivate let limit: Int
    // By person. Accessed only in `withLock`.
    private let sizes = Locked<[Int: Int]>([:])

    /// Creates the counters.
    ///
    /// - Parameter limit: The maximum number of bytes per person.
    init(_ limit: Int) {
        self.limit = limit
    }

    /// Returns an empty share for a request.
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

/// The part of a person's bytes that one request uses. It is released on deallocation: after the response's last byte,
/// or when the connection closes.
package final class ByteShare: Sendable {
    private let person: Int
    private let shares: ByteShares
    private let size = Locked(0)

    fileprivate init(_ person: Int, _ shares: ByteShares) {
        (self.person, self.shares) = (person, shares)
    }

    /// The maximum number of bytes of all the person's requests.
    package var limit: Int { shares.limit }

    /// Adds bytes to the share.
    ///
    /// - Returns: False if there is no room for all of them. Nothing is added then.
    package func add(_ bytes: Int) -> Bool {
        guard shares.add(bytes, of: person) else { return false }
        size.withLock { $0 += bytes }
        return true
    }

    deinit {
        shares.remove(size.withLock { $0 }, of: person)
    }
}
