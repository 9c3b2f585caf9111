import ArgumentParser
import Foundation

/// A server's address on the command line.
enum ServerAddress {
    /// - Throws: `ValidationError` where it isn't an `http` or `https` URL with a host.
    static func parse(_ text: String) throws -> URL {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.host(), !host.isEmpty
        else {
            throw ValidationError("\"\(text.plainLine)\" isn't a server's address, such as http://127.0.0.1:8080.")
        }
        return url
    }
}

/// The process's environment.
enum Environment {
    /// A variable that is set and not empty.
    static func value(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}
