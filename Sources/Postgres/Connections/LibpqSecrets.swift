/// The parameters of libpq whose values are secrets, in the address of a database (PostgreSQL's documentation,
/// "Parameter Key Words"; the last three from version 18 on). Those that name a file aren't among them.
package enum LibpqSecrets {
    package static let names = [
        "password", "sslpassword", "oauth_client_secret", "scram_client_key", "scram_server_key",
    ]
}
