import ArgumentParser
import Foundation
import InboxServer

/// The options for tokens that the app's own backend signs.
struct AppTokenOptions: ParsableArguments {
    @Option(
        name: .customLong("jwt-key"),
        help: ArgumentHelp(
            """
            Accept tokens that the app's backend signs: a PEM public key (RS256, ES256, ES384, EdDSA) or a JWKS. \
            Repeatable.
            """,
            valueName: "file"
        ),
        completion: .file()
    )
    var keys: [String] = []

    @Option(
        name: .customLong("jwt-secret"),
        help: ArgumentHelp(
            "Accept tokens that the app's backend signs with the secret in this file (HS256). Repeatable.",
            valueName: "file"
        ),
        completion: .file()
    )
    var secrets: [String] = []

    @Option(
        name: .customLong("jwt-issuer"),
        help: ArgumentHelp("The iss claim that those tokens must have.", valueName: "text")
    )
    var issuer: String?

    @Option(
        name: .customLong("jwt-audience"),
        help: ArgumentHelp("The aud claim that those tokens must have.", valueName: "text")
    )
    var audience: String?

    func validate() throws {
        for key in keys { try PathArgument.check(key, of: "--jwt-key") }
        for secret in secrets { try PathArgument.check(secret, of: "--jwt-secret") }
        guard settings != nil || (issuer == nil && audience == nil) else {
            throw ValidationError("--jwt-issuer and --jwt-audience need a --jwt-key or a --jwt-secret.")
        }
    }

    var settings: AppTokenSettings? {
        guard !keys.isEmpty || !secrets.isEmpty else { return nil }
        return AppTokenSettings(
            keys: keys.map { URL(fileURLWithPath: $0) },
            secrets: secrets.map { URL(fileURLWithPath: $0) },
            issuer: issuer,
            audience: audience
        )
    }
}
