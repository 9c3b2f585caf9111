import Rainbow

/// The few colours and weights of the tool.
///
/// Rainbow leaves them out where standard output isn't a terminal or `NO_COLOR` is set.
enum Paint {
    static func strong(_ text: String) -> String { text.bold }
    static func faint(_ text: String) -> String { text.dim }
    static func good(_ text: String) -> String { text.green }
    static func warning(_ text: String) -> String { text.yellow }
    static func bad(_ text: String) -> String { text.red }
    static func accent(_ text: String) -> String { text.cyan }
}
