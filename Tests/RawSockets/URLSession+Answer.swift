package import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

extension URLSession {
    /// Returns the whole response to a request. Cancelling the task doesn't end the request.
    ///
    /// `data(for:)` of Foundation on Linux deadlocks, with everything on its queue, when its task is cancelled in the
    /// moment in which the response arrives.
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
