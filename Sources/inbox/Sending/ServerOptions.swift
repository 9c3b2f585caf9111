import ArgumentParser
import Foundation

/// The options for the server and the API key.
struct ServerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The server's address. (default: $INBOX_SERVER)", valueName: "url"),
        transform: { try ServerAddress.parse($0) }
    )
    var server: URL?

    @Option(help: ArgumentHelp("A file with an API key. (default: $INBOX_KEY)", valueName: "file"), completion: .file())
    var keyFile: String?

    @Option(help: ArgumentHelp("The API key itself. Other users of this machine can see it.", valueName: "key"))
    var key: String?

    /// Returns the server's API, with the address and the key of the options or of the environment. It warns about a
    /// key on the command line.
    func makeAPI() throws -> ServerAPI {
        guard let url = try server ?? Environment.value("INBOX_SERVER").map({ try ServerAddress.parse($0) }) else {
            throw ValidationError("The server is missing. Give --server URL, or set INBOX_SERVER.")
        }
        guard let key = try Secret.key.read(key, file: keyFile), !key.isEmpty else {
            throw ValidationError("The API key is missing. Give --key-file, or set INBOX_KEY.")
        }
        return ServerAPI(url: url, key: key)
    }
}
