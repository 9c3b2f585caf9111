package import Foundation
package import Groundwork

/// A session: a server's capabilities and the accounts that the client may access (RFC 8620, section 2).
package struct Session: Hashable, Sendable {
    package struct Account: Hashable, Sendable {
        package var name: String
        package var isPersonal: Bool
        package var isReadOnly: Bool
        package var accountCapabilities: JSONObject

        package init(name: String, isPersonal: Bool, isReadOnly: Bool, accountCapabilities: JSONObject) {
            self.name = name
            self.isPersonal = isPersonal
            self.isReadOnly = isReadOnly
            self.accountCapabilities = accountCapabilities
        }
    }

    package var capabilities: JSONObject
    package var accounts: [String: Account]
    /// The default accounts by capability.
    package var primaryAccounts: [String: String]
    package var username: String
    package var apiURL: String
    /// The URL template with the variables `{accountId}`, `{blobId}`, `{type}` and `{name}`.
    package var downloadURL: String
    /// The URL template with the variable `{accountId}`.
    package var uploadURL: String
    /// The URL template with the variables `{types}`, `{closeafter}` and `{ping}`.
    package var eventSourceURL: String
    package var state: String

    package init(
        capabilities: JSONObject,
        accounts: [String: Account],
        primaryAccounts: [String: String],
        username: String,
        apiURL: String,
        downloadURL: String,
        uploadURL: String,
        eventSourceURL: String,
        state: String
    ) {
        self.capabilities = capabilities
        self.accounts = accounts
        self.primaryAccounts = primaryAccounts
        self.username = username
        self.apiURL = apiURL
        self.downloadURL = downloadURL
        self.uploadURL = uploadURL
        self.eventSourceURL = eventSourceURL
        self.state = state
    }

    package var core: CoreCapability { CoreCapability(json: capabilities[CoreCapability.uri] ?? .null) }

    package var json: JSON {
        [
            "capabilities": .object(capabilities),
            "accounts": .object(JSONObject(accounts.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) })),
            "primaryAccounts": .object(
                JSONObject(primaryAccounts.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
            ),
            "username": .string(username),
            "apiUrl": .string(apiURL),
            "downloadUrl": .string(downloadURL),
            "uploadUrl": .string(uploadURL),
            "eventSourceUrl": .string(eventSourceURL),
            "state": .string(state),
        ]
    }

    /// Reads a session.
    ///
    /// - Parameters:
    ///   - json: The session object.
    ///   - base: The session's own URL, since servers may send relative URLs.
    /// - Throws: ``JSONValueError`` with the location of the member that is missing or has the wrong type.
    package init(json: JSON, base: URL) throws(JSONValueError) {
        let reader = JSONReader(json)
        func address(_ name: String) throws(JSONValueError) -> String {
            Self.absolute(try reader.required(name).string(), base: base)
        }
        capabilities = try reader.required("capabilities").object()
        accounts = [:]
        for member in try reader.required("accounts").object().members {
            let account = JSONReader(member.value, at: reader.pointer / "accounts" / member.name)
            accounts[member.name] = Account(
                name: try account.member("name")?.string() ?? "",
                isPersonal: try account.member("isPersonal")?.bool() ?? true,
                isReadOnly: try account.member("isReadOnly")?.bool() ?? false,
                accountCapabilities: try account.member("accountCapabilities")?.object() ?? JSONObject()
            )
        }
        primaryAccounts = try reader.member("primaryAccounts")?.stringPairs() ?? [:]
        username = try reader.member("username")?.string() ?? ""
        apiURL = try address("apiUrl")
        downloadURL = try address("downloadUrl")
        uploadURL = try address("uploadUrl")
        eventSourceURL = try address("eventSourceUrl")
        state = try reader.member("state")?.string() ?? ""
    }

    /// Resolves a URL template against `base` as text (RFC 3986, section 5.2, except that dot segments stay), so that
    /// the template's braces are preserved.
    private static func absolute(_ address: String, base: URL) -> String {
        let hasScheme = address.first { ":/?#{".contains($0) } == ":"
        guard !hasScheme, let scheme = base.scheme, let host = base.host(percentEncoded: true) else { return address }
        // Foundation returns an IPv6 address without its brackets.
        let name = host.contains(":") ? "[\(host)]" : host
        let origin = "\(scheme)://\(name)" + (base.port.map { ":\($0)" } ?? "")
        if address.hasPrefix("//") { return "\(scheme):\(address)" }
        if address.hasPrefix("/") { return origin + address }
        let path = base.path(percentEncoded: true)
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
        return "\(origin)\(folder)\(address)"
    }

    /// Whether all URLs use https.
    package var isSecure: Bool {
        [apiURL, downloadURL, uploadURL, eventSourceURL].allSatisfy { $0.lowercased().hasPrefix("https:") }
    }

    /// Whether all URLs use https or name this machine. URLs are compared up to the path, since the rest may be a
    /// template.
    package var allowsCredentials: Bool {
        [apiURL, downloadURL, uploadURL, eventSourceURL].allSatisfy { address in
            let scheme = address.prefix { $0 != ":" }
            let rest = address.dropFirst(scheme.count)
            guard rest.hasPrefix("://") else { return false }
            let authority = rest.dropFirst(3).prefix { !"/?#{".contains($0) }
            return URL(string: "\(scheme)://\(authority)")?.allowsCredentials ?? false
        }
    }

    /// Returns the download URL of a blob (RFC 8620, section 6.2), with the variables filled in.
    package func downloadURL(account: String, blob: String, type: String, name: String) -> URL? {
        func encoded(_ text: String) -> String {
            text.addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? ""
        }
        return URL(
            string:
                downloadURL
                .replacing("{accountId}", with: encoded(account))
                .replacing("{blobId}", with: encoded(blob))
                .replacing("{type}", with: encoded(type))
                .replacing("{name}", with: encoded(name))
        )
    }

    /// Returns the URL to upload a blob to (RFC 8620, section 6.1), with the variable filled in.
    package func uploadURL(account: String) -> URL? {
        let encoded = account.addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? ""
        return URL(string: uploadURL.replacing("{accountId}", with: encoded))
    }

    /// The unreserved characters of RFC 3986, section 2.3.
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )

    /// Returns the URL of the event source, with the variables filled in.
    package func eventSourceURL(types: [String], closeAfter: String = "no", ping: Int) -> URL? {
        URL(
            string:
                eventSourceURL
                .replacing("{types}", with: types.joined(separator: ","))
                .replacing("{closeafter}", with: closeAfter)
                .replacing("{ping}", with: String(ping))
        )
    }
}

extension Session.Account {
    package var json: JSON {
        [
            "name": .string(name),
            "isPersonal": .bool(isPersonal),
            "isReadOnly": .bool(isReadOnly),
            "accountCapabilities": .object(accountCapabilities),
        ]
    }
}
