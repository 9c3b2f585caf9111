/// A progress bar for the pages of a database, where somebody sees it.
enum PageProgress {
    static func show(_ body: (_ progress: @escaping (Int, Int) -> Void) throws -> Void) throws {
        guard Terminal.showsNotes else { return try body { _, _ in } }
        var bar = ProgressBar(total: 0)
        defer { bar.clear() }
        try body { done, total in bar.move(to: done, of: total) }
    }
}
