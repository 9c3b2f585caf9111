import InboxService
import JMAP

extension JMAPMethod {
    /// `/copy` (RFC 8620 §5.4) and `Blob/copy` (§6.3): an error in any case, since a person has one account, and copies
    /// go from one to another.
    ///
    /// - Parameter others: The names of the method's arguments besides the two accounts.
    static func copy(capability: String, others: Set<String>) -> JMAPMethod {
        JMAPMethod(capability: capability) { call in
            let arguments = try CopyArguments(reading: call.reader, others: others)
            guard arguments.accountID == call.person.account else { throw MethodError.accountNotFound }
            guard arguments.fromAccountID == call.person.account else { throw MethodError.fromAccountNotFound }
            throw MethodError.invalidArguments("/fromAccountId and /accountId have to be different")
        }
    }

    /// The methods of the core capability that need storage of their own, and that this server doesn't offer.
    static let refused: [String: JMAPMethod] = [
        "Blob/copy": .copy(capability: CoreCapability.uri, others: ["blobIds"]),
        "PushSubscription/get": .pushSubscription,
        "PushSubscription/set": .pushSubscription,
    ]

    /// The server calls no addresses that a client names.
    private static let pushSubscription = JMAPMethod(capability: CoreCapability.uri) { _ in
        throw MethodError(
            "forbidden",
            "This server offers no push subscriptions. Open the session's eventSourceUrl to hear of changes."
        )
    }
}
