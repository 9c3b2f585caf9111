import InboxService
import JMAP

extension JMAPMethod {
    /// Returns a `/copy` method (RFC 8620, section 5.4) or `Blob/copy` (section 6.3). It always fails, since copies go
    /// from one account to another, and a person has only one.
    ///
    /// - Parameter others: The names of the method's arguments other than the two accounts.
    static func copy(capability: String, others: Set<String>) -> JMAPMethod {
        JMAPMethod(capability: capability) { call in
            let arguments = try CopyArguments(reading: call.reader, others: others)
            guard arguments.accountID == call.person.account else { throw MethodError.accountNotFound }
            guard arguments.fromAccountID == call.person.account else { throw MethodError.fromAccountNotFound }
            throw MethodError.invalidArguments("/fromAccountId and /accountId have to be different")
        }
    }

    /// The methods of the core capability that require storage of their own and that this server doesn't offer.
    static let unsupported: [String: JMAPMethod] = [
        "Blob/copy": .copy(capability: CoreCapability.uri, others: ["blobIds"]),
        "PushSubscription/get": .pushSubscription,
        "PushSubscription/set": .pushSubscription,
    ]

    /// The server never sends requests to URLs that a client names.
    private static let pushSubscription = JMAPMethod(capability: CoreCapability.uri) { _ in
        throw MethodError(
            "forbidden",
            "This server doesn't support push subscriptions. Use the session's eventSourceUrl instead."
        )
    }
}
