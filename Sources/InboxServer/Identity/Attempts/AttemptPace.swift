public import Foundation

/// The limit of attempts with invalid keys. A state machine without I/O.
///
/// Each address has a bucket of attempts that refills with time. While it is empty, no key is checked for that address,
/// except keys that were valid there before: so clients behind the same address can't lock them out.
struct AttemptPace: Sendable {
    private struct Address: Sendable {
        var left: Double
        var last: Date
        /// The numbers of the keys that came from there and held, latest last.
        var keys: [Int] = []
    }

    private let limit: AttemptLimit
    private var addresses: [ClientAddress: Address] = [:]

    /// How many addresses are remembered. When there are more, those without a key that held and with the oldest
    /// attempts are forgotten.
    static let maxAddresses = 10_000
    /// How many keys are remembered of an address.
    static let maxKeys = 16

    init(_ limit: AttemptLimit) {
        self.limit = limit
    }

    /// How many addresses are remembered now.
    var count: Int { addresses.count }

    /// Takes an attempt in.
    ///
    /// - Parameter key: The number of the key that came; nil for one that doesn't hold.
    /// - Returns: Nil where it may be answered; else in how many seconds to try again, whatever came.
    mutating func admit(_ key: Int?, from client: ClientAddress, at now: Date) -> TimeInterval? {
        var address = addresses[client] ?? Address(left: Double(limit.burst), last: now)
        // A clock that was set back gives nothing.
        let passed = max(0, now.timeIntervalSince(address.last))
        address.left = min(Double(limit.burst), address.left + passed / limit.interval)
        address.last = now
        defer { remember(address, client) }
        if let key, let place = address.keys.firstIndex(of: key) {
            address.keys.remove(at: place)
            address.keys.append(key)
            return nil
        }
        guard address.left >= 1 else { return (1 - address.left) * limit.interval }
        if let key {
            address.keys = address.keys.suffix(Self.maxKeys - 1) + [key]
        } else {
            address.left -= 1
        }
        return nil
    }

    private mutating func remember(_ address: Address, _ client: ClientAddress) {
        if addresses[client] == nil, addresses.count >= Self.maxAddresses {
            let oldest = addresses.sorted { first, second in
                first.value.keys.isEmpty == second.value.keys.isEmpty
                    ? first.value.last < second.value.last : first.value.keys.isEmpty
            }
            for (client, _) in oldest.prefix(Self.maxAddresses / 2) { addresses[client] = nil }
        }
        addresses[client] = address
    }
}

/// How many attempts with API keys that don't hold an address has.
public struct AttemptLimit: Hashable, Sendable {
    /// How many at once.
    public var burst: Int
    /// In seconds, for each one more.
    public var interval: TimeInterval

    /// - Parameters:
    ///   - burst: How many at once.
    ///   - interval: In seconds, for each one more.
    public init(burst: Int = 10, interval: TimeInterval = 6) {
        (self.burst, self.interval) = (burst, interval)
    }
}
