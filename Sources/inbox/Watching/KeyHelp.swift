/// The help on the keys of a list, wrapped to the width of the terminal.
enum KeyHelp {
    /// Returns a line for each group of keys, or several where its effect is longer than the rest of a line. A terminal
    /// without room for 16 columns of it cuts the lines.
    static func lines(_ help: [(keys: String, effect: String)], width: Int) -> [String] {
        let column = (help.map(\.keys.columns).max() ?? 0) + 3
        return help.flatMap { keys, effect in
            effect.wrapped(to: max(16, width - column - 1)).enumerated().map { index, line in
                " " + ANSIStyle.accent((index == 0 ? keys : "").padded(to: column)) + line
            }
        }
    }
}
