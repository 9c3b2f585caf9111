/// Why a server can't start as it is set up: what is wrong with which file or setting, and how to mend it.
public struct ServerSetupError: Error, CustomStringConvertible {
    /// One line. Nothing of a key or a secret is in it.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
