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
