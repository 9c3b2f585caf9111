/// The version of the tool.
enum ToolVersion {
    /// The newest section of CHANGELOG.md: a version, or `unreleased`.
    static let text = "unreleased"

    /// Whether a command line asks for the version. ArgumentParser's own flag would be one of every command, and
    /// `inbox mail edit` has an option of that name.
    ///
    /// - Parameter arguments: The arguments of the process, without its own name.
    static func isRequested(_ arguments: [String]) -> Bool { arguments == ["--version"] }
}
