import CResolver
import Groundwork

/// Looks up the hosts that offer a service for a domain (SRV records of DNS).
public protocol ServiceResolver: Sendable {
    /// Returns the records of a service.
    ///
    /// - Parameters:
    ///   - service: The service and its protocol, such as `_jmap._tcp`.
    ///   - domain: The domain, such as `example.com`.
    /// - Returns: The records, in any order. Empty if the domain has none.
    /// - Throws: ``SignInError`` with the code `notConnected` if no DNS server answers.
    func records(of service: String, in domain: String) async throws -> [ServiceRecord]
}

/// The system's resolver: libresolv on Linux, dnssd on Apple's systems.
///
/// Answers of DNS can be forged. They are used to find a server, which the person confirms (``SignIn``). The server's
/// certificate then proves the host's name.
public struct SystemServiceResolver: ServiceResolver {
    private let server: String?
    private let port: UInt16
    private let seconds: Int32

    /// Creates a resolver that asks the DNS servers of the system, for up to 10 seconds.
    public init() { self.init(server: nil, port: 53, seconds: 10) }

    /// - Parameter server: The IPv4 address of the DNS server; nil for those of the system. On Apple's systems it is
    ///   ignored.
    package init(server: String?, port: Int, seconds: Int) {
        (self.server, self.port, self.seconds) = (server, UInt16(port), Int32(seconds))
    }

    private static let maxRecords = 32

    /// Returns the records of a service, at most 32.
    ///
    /// - Throws: ``SignInError`` with the code `notConnected` if no DNS server answers.
    public func records(of service: String, in domain: String) async throws -> [ServiceRecord] {
        let found = try await onNewThread { [server, port, seconds] in
            var records = [inbox_srv](repeating: inbox_srv(), count: Self.maxRecords)
            let count = inbox_srv_lookup("\(service).\(domain)", server, port, seconds, &records, Int32(records.count))
            return count < 0 ? nil : records.prefix(Int(count)).map(ServiceRecord.init)
        }
        guard let found else { throw SignInError.noDNS }
        return found
    }
}

extension ServiceRecord {
    fileprivate init(_ record: inbox_srv) {
        let host = withUnsafeBytes(of: record.host) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        self.init(host: host, port: Int(record.port), priority: Int(record.priority), weight: Int(record.weight))
    }
}

/// A host that offers a service for a domain: an SRV record (RFC 2782).
public struct ServiceRecord: Hashable, Sendable {
    /// The host's name, without a final dot. Empty if the domain says that it doesn't offer the service.
    public let host: String
    /// The port.
    public let port: Int
    /// The priority: hosts with lower numbers are tried first.
    public let priority: Int
    /// The weight among records of one priority: hosts with higher numbers are tried first.
    public let weight: Int

    /// Creates a record.
    public init(host: String, port: Int, priority: Int = 0, weight: Int = 0) {
        (self.host, self.port, self.priority, self.weight) = (host, port, priority, weight)
    }
}

extension ServiceRecord: Comparable {
    /// Whether the first record is tried before the second.
    public static func < (first: ServiceRecord, second: ServiceRecord) -> Bool {
        (first.priority, second.weight, first.host, first.port)
            < (second.priority, first.weight, second.host, second.port)
    }
}
