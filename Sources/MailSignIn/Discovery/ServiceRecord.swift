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
