import Foundation

/// How far something is, drawn over itself on standard error.
struct ProgressBar {
    private var total: Int
    private var done = 0
    private var drawn = -1
    private let text: (_ done: Int, _ total: Int) -> String

    /// - Parameter text: What stands beside it.
    init(total: Int, text: @escaping (_ done: Int, _ total: Int) -> String = { "\($0) of \($1)" }) {
        self.total = total
        self.text = text
    }

    mutating func advance() {
        done += 1
        draw()
    }

    /// Shows how far it is where what is to be done may grow.
    mutating func move(to done: Int, of total: Int) {
        self.done = done
        self.total = total
        draw()
    }

    /// Takes the bar away, so that a line can be written in its place.
    mutating func clear() {
        guard drawn >= 0 else { return }
        Output.status("\r\u{1B}[K")
        drawn = -1
    }

    /// Draws only what looks different: at most a step for each hundredth.
    private mutating func draw() {
        let hundredths = done * 100 / max(1, total)
        guard hundredths != drawn else { return }
        drawn = hundredths
        let width = 30
        let filled = min(width, hundredths * width / 100)
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
        Output.status("\r\(bar) \(text(done, total))\u{1B}[K")
    }
}
