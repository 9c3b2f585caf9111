import Groundwork

/// The network of one process. The world decides what happens to a request.
struct SimulatedTransport: Transport {
    let transmit: @Sendable (TransportRequest) async throws -> TransportResponse

    init(_ transmit: @escaping @Sendable (TransportRequest) async throws -> TransportResponse) {
        self.transmit = transmit
    }

    func send(_ request: TransportRequest, maxBytes: Int) async throws -> TransportResponse {
        try await transmit(request)
    }

    func stream(_ request: TransportRequest) async throws -> TransportStream {
        throw TransportError.unreachable("there are no streams in a simulation")
    }
}
