import ArgumentParser

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
