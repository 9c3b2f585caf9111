import Foundation

/// A progress bar on standard error that is redrawn in place.
struct ProgressBar {
    private var total: Int
    private var done = 0
    private var drawnPercentage = -1
    private let text: (_ done: Int, _ total: Int) -> String

    /// - Parameter text: Returns the text next to the bar.
    init(total: Int, text: @escaping (_ done: Int, _ total: Int) -> String = { "\($0) of \($1)" }) {
        self.total = total
        self.text = text
    }

    mutating func advance() {
        done += 1
        draw()
    }

    /// Sets the progress and the total, which may grow.
    mutating func update(to done: Int, of total: Int) {
        self.done = done
        self.total = total
        draw()
    }

    /// Removes the bar, so that a line can be written in its place.
    mutating func clear() {
        guard drawnPercentage >= 0 else { return }
        Output.status("\r\u{1B}[K")
        drawnPercentage = -1
    }

    /// Redraws the bar only when it changes: at most once per percent.
    private mutating func draw() {
        let percentage = done * 100 / max(1, total)
        guard percentage != drawnPercentage else { return }
        drawnPercentage = percentage
        let width = 30
        let filled = min(width, percentage * width / 100)
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
        Output.status("\r\(bar) \(text(done, total))\u{1B}[K")
    }
}

/// A progress bar over the pages of a database, at a terminal.
enum PageProgress {
    static func show<Value>(_ body: (_ progress: @escaping (Int, Int) -> Void) throws -> Value) throws -> Value {
        guard Terminal.showsNotes else { return try body { _, _ in } }
        var bar = ProgressBar(total: 0)
        defer { bar.clear() }
        return try body { done, total in bar.update(to: done, of: total) }
    }
}
