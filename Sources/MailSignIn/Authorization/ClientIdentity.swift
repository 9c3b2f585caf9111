import Foundation
import Groundwork

/// The identity of this client at an authorization server.
///
/// A client on a device is public (RFC 8252, section 8.4). A server that supports no public clients assigns a secret
/// at the registration of each device, which proves nothing but that it is the same device.
struct ClientIdentity: Hashable, Sendable {
    /// The methods of RFC 7591, section 2.
    enum Method: String, Sendable {
        case none
        case post = "client_secret_post"
        case basic = "client_secret_basic"

        /// Returns the method for a server: none if it supports that.
        ///
        /// - Parameter supported: The methods in its metadata; nil for the default (RFC 8414, section 2).
        static func best(of supported: [String]?) -> Method {
            let supported = supported ?? [basic.rawValue]
            return [none, post, basic].first { supported.contains($0.rawValue) } ?? .none
        }
    }

    let id: String
    var secret: String?
    var method = Method.none

    /// Makes a request of a form with the client's identity (RFC 6749, section 2.3.1).
    func request(_ url: URL, _ fields: [(String, String)]) -> TransportRequest {
        var fields = fields
        var headers = ["Content-Type": FormData.type, "Accept": "application/json"]
        switch (method, secret) {
        case (.basic, let secret?):
            let pair = "\(FormData.escaped(id)):\(FormData.escaped(secret))"
            headers["Authorization"] = "Basic \(Data(pair.utf8).base64EncodedString())"
        case (.post, let secret?):
            fields += [("client_id", id), ("client_secret", secret)]
        default:
            fields.append(("client_id", id))
        }
        return TransportRequest(method: "POST", url: url, headers: headers, body: Array(FormData.text(fields).utf8))
    }
}
