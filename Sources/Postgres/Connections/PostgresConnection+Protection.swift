import CLibpq
import Groundwork

extension PostgresConnection {
    /// The protection of a connection from those who control the network.
    package enum Protection: Hashable, Sendable {
        /// Nothing leaves this machine.
        case local
        /// It is encrypted, and the server has shown who it is.
        case verified
        /// It is encrypted, with whichever server has answered.
        case encrypted
        /// Others can read and change what is sent, and a server that isn't the right one can ask for the password.
        case unprotected
    }

    /// The protection of this connection. One that is closed has none.
    package var protection: Protection {
        guard let handle else { return .unprotected }
        // Kerberos shows each end who the other one is.
        let usesKerberos = PQgssEncInUse(handle) == 1
        return Self.protection(
            host: PQhost(handle).map { String(cString: $0) } ?? "",
            address: PQhostaddr(handle).map { String(cString: $0) } ?? "",
            isEncrypted: usesKerberos || PQsslInUse(handle) == 1,
            isVerified: usesKerberos
                || Self.verifiesServer(tlsMode: option("sslmode"), channelBinding: option("channel_binding"))
        )
    }

    /// Returns the protection of a connection.
    ///
    /// - Parameters:
    ///   - host: The host of the connection: a name, an address, or a socket.
    ///   - address: Its IP address. Empty for a socket.
    package static func protection(
        host: String,
        address: String,
        isEncrypted: Bool,
        isVerified: Bool
    ) -> Protection {
        if host.hasPrefix("/") || host.hasPrefix("@") || IPAddress(address)?.isLoopback ?? false { return .local }
        guard isEncrypted else { return .unprotected }
        return isVerified ? .verified : .encrypted
    }

    /// Returns whether libpq refuses a TLS connection with a server that isn't the right one: by its certificate, or
    /// because the server has to prove for this connection that it knows the password's hash.
    ///
    /// - Parameters:
    ///   - tlsMode: The value of `sslmode`.
    ///   - channelBinding: The value of `channel_binding`.
    package static func verifiesServer(tlsMode: String?, channelBinding: String?) -> Bool {
        ["verify-ca", "verify-full"].contains(tlsMode) || channelBinding == "require"
    }

    /// Returns the value of an option of libpq, wherever it comes from.
    private func option(_ name: String) -> String? {
        guard let handle, let options = PQconninfo(handle) else { return nil }
        defer { PQconninfoFree(options) }
        var option = options
        while let keyword = option.pointee.keyword {
            if String(cString: keyword) == name { return option.pointee.val.map { String(cString: $0) } }
            option += 1
        }
        return nil
    }
}
