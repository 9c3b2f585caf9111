import Rainbow

/// The colors and styles of the tool.
///
/// Rainbow omits them if standard output isn't a terminal or `NO_COLOR` is set.
enum ANSIStyle {
    static func bold(_ text: String) -> String { text.bold }
    static func dim(_ text: String) -> String { text.dim }
    static func success(_ text: String) -> String { text.green }
    static func warning(_ text: String) -> String { text.yellow }
    static func failure(_ text: String) -> String { text.red }
    static func accent(_ text: String) -> String { text.cyan }
    static func link(_ text: String) -> String { text.cyan.underline }
    /// Marks a search match.
    static func mark(_ text: String) -> String { text.yellow.bold }

    /// A style as a value.
    enum Role: Sendable {
        case bold, dim, success, warning, failure

        func apply(to text: String) -> String {
            switch self {
            case .bold: ANSIStyle.bold(text)
            case .dim: ANSIStyle.dim(text)
            case .success: ANSIStyle.success(text)
            case .warning: ANSIStyle.warning(text)
            case .failure: ANSIStyle.failure(text)
            }
        }
    }
}
