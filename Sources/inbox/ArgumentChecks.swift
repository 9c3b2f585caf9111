import ArgumentParser

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
