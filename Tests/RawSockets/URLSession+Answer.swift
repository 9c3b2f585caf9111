package import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

extension URLSession {
    /// The whole answer to a request; to cancel the task doesn't end it.
    ///
    /// `data(for:)` of Linux's Foundation comes to a standstill with all that shares its queue, when its task is
    /// cancelled in the moment in which the answer comes: each waits for the other's lock.
    package func answer(to request: URLRequest) async throws -> (Data, URLResponse) {
        try await withCheckedThrowingContinuation { continuation in
            dataTask(with: request) { data, response, error in
                if let data, let response {
                    continuation.resume(returning: (data, response))
                } else {
                    continuation.resume(throwing: error ?? URLError(.unknown))
                }
            }
            .resume()
        }
    }
}
