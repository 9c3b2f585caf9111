import ArgumentParser
import Foundation
import Groundwork

/// A secret that a command needs: from a file, the environment or an option.
///
/// An option's value is visible in `ps` to every user of the machine, and in the shell's history. It works, but causes
/// a warning.
struct Secret {
    /// The noun phrase for the secret in sentences.
    let name: String
    /// The option that takes the secret itself, such as `--key`.
    let option: String
    /// The option that takes the path of a file with the secret.
    var fileOption: String { option + "-file" }
    /// The environment variable.
    let variable: String

    /// Returns the secret from the first source that has one: the option, the file, the environment. It warns about a
    /// secret on the command line.
    ///
    /// - Parameters:
    ///   - value: The value of ``option``.
    ///   - file: The value of ``fileOption``.
    /// - Throws: `ValidationError` if both options are set or the path is empty, ``Failure`` if the file can't be read
    ///   or contains no secret.
    func read(_ value: String?, file: String?) throws -> String? {
        guard value == nil || file == nil else { throw ValidationError("Give one of \(option) and \(fileOption).") }
        if let value {
            Output.note("inbox: \(warning)")
            return value
        }
        guard let file else { return Environment.value(variable) }
        try PathArgument.check(file, of: fileOption)
        guard let bytes = try PrivateFile.read(URL(fileURLWithPath: file)) else {
            throw Failure("\(file), given with \(fileOption), doesn't exist.")
        }
        guard bytes.count <= 65_536 else {
            throw Failure("\(file), given with \(fileOption), is too large for \(name).")
        }
        let text = String(decoding: bytes.withoutByteOrderMark, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty else { throw Failure("\(file), given with \(fileOption), is empty.") }
        guard !text.contains(where: \.isWhitespace) else {
            throw Failure("\(file), given with \(fileOption), has to contain \(name) and nothing else.")
        }
        return text
    }

    var warning: String {
        """
        \(option) exposes \(name) to every user of this machine (in ps). Use \(fileOption) FILE or \(variable) \
        instead.
        """
    }

    /// The API key for the server's setup.
    static let adminKey = Secret(name: "the API key", option: "--admin-key", variable: "INBOX_ADMIN_KEY")
    /// An API key for calling a server.
    static let key = Secret(name: "the API key", option: "--key", variable: "INBOX_KEY")
    /// A person's token.
    static let token = Secret(name: "the token", option: "--token", variable: "INBOX_TOKEN")
}
