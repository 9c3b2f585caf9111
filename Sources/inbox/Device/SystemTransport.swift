import Groundwork
import InboxHTTPClient

/// The transport of the tool's requests.
enum SystemTransport {
    static func make() -> any Transport {
        #if canImport(FoundationNetworking)
            HTTPClientTransport()
        #else
            URLSessionTransport()
        #endif
    }
}
