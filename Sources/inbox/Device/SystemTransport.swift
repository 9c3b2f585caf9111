import Groundwork
import InboxHTTPClient

/// The transport of the tool's requests.
enum SystemTransport {
    /// Creates a transport.
    ///
    /// - Parameter followsRedirects: Whether redirects within the origin are followed.
    static func make(followsRedirects: Bool = true) -> any Transport {
        #if canImport(FoundationNetworking)
            HTTPClientTransport(followsRedirects: followsRedirects)
        #else
            URLSessionTransport(redirects: followsRedirects ? .withinOrigin : .never)
        #endif
    }
}
