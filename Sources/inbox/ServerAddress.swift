import ArgumentParser
import Foundation
import Groundwork

/// A server's address on the command line.
enum ServerAddress {
    /// Parses the address of a server that receives a token or key.
    ///
    /// - Throws: `ValidationError` if it is neither an `https` URL with a host nor an `http` URL of this machine
    ///   itself.
    static func parse(_ text: String) throws -> URL {
        let url = try parsePublic(text)
        guard url.allowsCredentials else {
            throw ValidationError(
                """
                "\(text.plainLine)" isn't encrypted, so keys and tokens could be read in transit. \
                Use https://, or http:// on this machine itself, such as http://127.0.0.1:8080.
                """
            )
        }
        return url
    }

    /// Parses an address that is only shown to others.
    ///
    /// - Throws: `ValidationError` if it isn't an `http` or `https` URL with a host.
    static func parsePublic(_ text: String) throws -> URL {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.host(), !host.isEmpty
        else {
            throw ValidationError("\"\(text.plainLine)\" isn't a server address such as https://inbox.example.com.")
        }
        return url
    }
}

/// The process's environment.
enum Environment {
    /// Returns the value of a variable that is set and not empty.
    static func value(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}
