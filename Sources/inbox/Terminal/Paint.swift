import Rainbow

/// The colors and styles of the tool.
///
/// Rainbow omits them if standard output isn't a terminal or `NO_COLOR` is set.
enum Paint {
    static func strong(_ text: String) -> String { text.bold }
    static func faint(_ text: String) -> String { text.dim }
    static func good(_ text: String) -> String { text.green }
    static func warning(_ text: String) -> String { text.yellow }
    static func bad(_ text: String) -> String { text.red }
    static func accent(_ text: String) -> String { text.cyan }
    static func link(_ text: String) -> String { text.cyan.underline }
    /// Marks a search match.
    static func mark(_ text: String) -> String { text.yellow.bold }

    /// A style as a value.
    enum Tone: Sendable {
        case strong, faint, good, warning, bad

        func paint(_ text: String) -> String {
            switch self {
            case .strong: Paint.strong(text)
            case .faint: Paint.faint(text)
            case .good: Paint.good(text)
            case .warning: Paint.warning(text)
            case .bad: Paint.bad(text)
            }
        }
    }
}
