import ArgumentParser
import Foundation

/// Where to send, and with which API key.
struct SendingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The server's address. (default: $INBOX_SERVER)", valueName: "url"),
        transform: { try ServerAddress.parse($0) }
    )
    var server: URL?

    @Option(
        help: ArgumentHelp(
            "An API key. (default: $INBOX_KEY, which other users of the machine can't see)",
            valueName: "key"
        )
    )
    var key: String?

    func sendingServer() throws -> SendingServer {
        guard let url = try server ?? Environment.value("INBOX_SERVER").map({ try ServerAddress.parse($0) }) else {
            throw ValidationError("Which server? Give --server URL, or set INBOX_SERVER.")
        }
        guard let key = key ?? Environment.value("INBOX_KEY"), !key.isEmpty else {
            throw ValidationError("With which API key? Give --key, or set INBOX_KEY.")
        }
        return SendingServer(url: url, key: key)
    }
}
