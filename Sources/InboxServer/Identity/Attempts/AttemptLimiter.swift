public import Foundation
import Groundwork

/// The limit of attempts with invalid keys. A state machine without I/O.
///
/// Each address has a bucket of attempts that refills with time. While it is empty, no key is checked for that address,
/// except keys that were valid there before: clients behind the same address can't lock each other out.
struct AttemptLimiter: Sendable {
    private struct Address: Sendable {
        var bucket: TokenBucket
        /// The numbers of the valid keys that were used from the address, latest last.
        var keys: [Int] = []
    }

    private let rate: TokenBucket.Rate
    private var addresses: [ClientAddress: Address] = [:]

    /// The maximum number of remembered addresses. Beyond it, half of that number is removed: first the addresses
    /// without a valid key, and of these the ones with the oldest attempts.
    static let maxAddresses = 10_000
    /// The maximum number of remembered keys per address.
    static let maxKeys = 16

    init(_ limit: AttemptLimit) {
        rate = TokenBucket.Rate(burst: limit.burst, adding: 1, in: limit.interval)
    }

    /// The number of remembered addresses.
    var count: Int { addresses.count }

    /// Records an attempt.
    ///
    /// - Parameter key: The number of the key, or nil if the key is invalid.
    /// - Returns: Nil if the request may be answered. Otherwise the time in seconds after which to try again, whatever
    ///   the key.
    mutating func admit(_ key: Int?, from client: ClientAddress, at now: Date) -> TimeInterval? {
        var address = addresses[client] ?? Address(bucket: TokenBucket(rate, now: now))
        let wait = address.bucket.wait(of: rate, now: now)
        defer { remember(address, client) }
        if let key, let index = address.keys.firstIndex(of: key) {
            address.keys.remove(at: index)
            address.keys.append(key)
            return nil
        }
        if let wait { return wait }
        guard let key else { return address.bucket.take(of: rate, now: now) }
        address.keys = address.keys.suffix(Self.maxKeys - 1) + [key]
        return nil
    }

    private mutating func remember(_ address: Address, _ client: ClientAddress) {
        if addresses[client] == nil, addresses.count >= Self.maxAddresses {
            let oldest = addresses.sorted { first, second in
                first.value.keys.isEmpty == second.value.keys.isEmpty
                    ? first.value.bucket.asOf < second.value.bucket.asOf : first.value.keys.isEmpty
            }
            for (client, _) in oldest.prefix(Self.maxAddresses / 2) { addresses[client] = nil }
        }
        addresses[client] = address
    }
}

/// The limit of attempts with invalid API keys, per address.
public struct AttemptLimit: Hashable, Sendable {
    /// The number of attempts at once.
    public var burst: Int
    /// The time after which one more attempt is allowed, in seconds.
    public var interval: TimeInterval

    /// Creates a limit.
    ///
    /// - Parameters:
    ///   - burst: The number of attempts at once.
    ///   - interval: The time after which one more attempt is allowed, in seconds.
    public init(burst: Int = 10, interval: TimeInterval = 6) {
        (self.burst, self.interval) = (burst, interval)
    }
}
