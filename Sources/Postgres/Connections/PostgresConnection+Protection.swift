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
            isVerified: usesKerberos || ["verify-ca", "verify-full"].contains(tlsMode)
        )
    }

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

    /// The value of `sslmode`, wherever it comes from. Empty if it isn't known.
    private var tlsMode: String {
        guard let handle, let options = PQconninfo(handle) else { return "" }
        defer { PQconninfoFree(options) }
        var option = options
        while let keyword = option.pointee.keyword {
            if String(cString: keyword) == "sslmode", let value = option.pointee.val { return String(cString: value) }
            option += 1
        }
        return ""
    }
}
