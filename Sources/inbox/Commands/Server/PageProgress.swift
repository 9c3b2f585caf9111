/// A progress bar over the pages of a database, at a terminal.
enum PageProgress {
    static func show<Value>(_ body: (_ progress: @escaping (Int, Int) -> Void) throws -> Value) throws -> Value {
        guard Terminal.showsNotes else { return try body { _, _ in } }
        var bar = ProgressBar(total: 0)
        defer { bar.clear() }
        return try body { done, total in bar.update(to: done, of: total) }
    }
}
