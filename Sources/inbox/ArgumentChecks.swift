import ArgumentParser

/// The encoding of the command line.
enum ArgumentEncoding {
    /// Checks that all arguments of the process are UTF-8. Of others, Swift replaces what isn't: a text would be sent
    /// with other letters.
    ///
    /// - Throws: `ValidationError` if one isn't.
    static func check() throws {
        let isUTF8 = (0..<Int(CommandLine.argc)).allSatisfy { index in
            CommandLine.unsafeArgv[index].map { String(validatingCString: $0) != nil } ?? true
        }
        guard !isUTF8 else { return }
        throw ValidationError("An argument isn't UTF-8. Use a terminal with UTF-8, or give the text in a file.")
    }
}

/// A path on the command line.
enum PathArgument {
    /// Checks a path. An empty one, such as of a variable that isn't set, would be the working directory.
    ///
    /// - Parameter name: The option or argument.
    /// - Throws: `ValidationError` if the path is empty.
    static func check(_ path: String?, of name: String) throws {
        guard path?.isEmpty ?? false else { return }
        throw ValidationError("The path of \(name) is empty. Give one.")
    }
}

/// The id of a person on the command line.
enum PersonArgument {
    /// Checks a person's id.
    ///
    /// - Throws: `ValidationError` if the value of `--person` can't be a person's id.
    static func check(_ person: String) throws {
        guard (1...256).contains(person.utf8.count) else {
            throw ValidationError("--person has to be a person's id in your app, 1 to 256 bytes long.")
        }
    }
}
