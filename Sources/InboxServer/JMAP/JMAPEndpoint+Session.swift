import Crypto
import Groundwork
import InboxModel
import InboxService
import JMAP

extension JMAPEndpoint {
    /// Returns the session resource of a person (RFC 8620, section 2).
    ///
    /// - Parameter base: The start of the server's URLs.
    func session(of person: Person, base: String) -> Session {
        Session(
            capabilities: Self.capabilities(core),
            accounts: [
                person.account: Session.Account(
                    name: person.name,
                    isPersonal: true,
                    isReadOnly: false,
                    accountCapabilities: JSONObject([(MessageCapability.uri, [:])])
                )
            ],
            primaryAccounts: [CoreCapability.uri: person.account, MessageCapability.uri: person.account],
            username: person.name,
            apiURL: base + "/jmap/api",
            downloadURL: base + "/jmap/download/{accountId}/{blobId}/{name}?type={type}",
            uploadURL: base + "/jmap/upload/{accountId}",
            eventSourceURL: base + "/jmap/eventsource/?types={types}&closeafter={closeafter}&ping={ping}",
            state: sessionState
        )
    }

    static func capabilities(_ core: CoreCapability) -> JSONObject {
        JSONObject([(CoreCapability.uri, core.json), (MessageCapability.uri, [:])])
    }

    static func state(of capabilities: JSONObject) -> String {
        SHA256.hash(data: JSON.object(capabilities).utf8).prefix(8).hexadecimal
    }
}
