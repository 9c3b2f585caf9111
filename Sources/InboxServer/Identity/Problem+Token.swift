import Groundwork
import Hummingbird
import InboxService

extension Problem {
    /// Creates the problem of a rejected token, with the reason if it may be returned
    /// (``TokenRejection/Reason/isReturned``).
    init(_ rejection: TokenRejection) {
        let headers: HTTPFields = [.wwwAuthenticate: rejection.challenge]
        guard let kind = rejection.reason.kind else {
            self.init(.unauthorized, Self.validNeeded(PersonAccess.realm), headers: headers)
            return
        }
        self.init(.unauthorized, rejection.description, kind: kind, headers: headers)
    }
}

extension TokenRejection {
    /// The value of the `WWW-Authenticate` header (RFC 6750, section 3).
    var challenge: String {
        let challenge = "Bearer realm=\"\(PersonAccess.realm)\", error=\"invalid_token\""
        return reason.isReturned ? challenge + ", error_description=\"\(self)\"" : challenge
    }
}

extension TokenRejection.Reason {
    /// The problem's type, or nil if the reason isn't returned to the client.
    fileprivate var kind: Problem.Kind? {
        isReturned ? Problem.Kind(rawValue: "token-" + rawValue) : nil
    }
}
