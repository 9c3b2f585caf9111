import InboxMail

/// The use of a list of threads by keys: a state machine without input or output.
struct ThreadKeys {
    /// The meaning of the keys.
    enum Mode: Hashable {
        case list
        /// A thread is shown whole.
        case thread(String)
        /// The keys are shown.
        case help
    }

    /// The work that follows a key.
    enum Command: Hashable {
        case perform(MailChange, [String])
        case undo
        /// A thread was opened.
        case open(String)
        /// A reply to the latest mail of a thread is to be written.
        case reply(String, toAll: Bool)
        /// The list shows more threads.
        case reload
        case quit
    }

    private(set) var mode = Mode.list
    /// The number of threads that are listed.
    private(set) var limit: Int
    /// The thread at which the cursor is; nil for the first.
    private(set) var cursor: String?
    private(set) var selected: Set<String> = []
    /// The shown part of an open thread, or of the help.
    private(set) var scroll = PageScroll()

    private let step: Int

    /// - Parameter limit: The number of threads of a page.
    init(limit: Int) {
        (step, self.limit) = (limit, limit)
    }

    /// The place of the cursor in a list.
    func position(in threads: [MailThread]) -> Int {
        cursor.flatMap { id in threads.firstIndex { $0.id == id } } ?? 0
    }

    /// Forgets threads that have left the list. A cursor on one of them goes to the one that has taken its place.
    mutating func follow(_ threads: [MailThread], before: [MailThread]) {
        selected.formIntersection(threads.map(\.id))
        guard let cursor, !threads.contains(where: { $0.id == cursor }) else { return }
        let place = before.firstIndex { $0.id == cursor } ?? 0
        self.cursor = threads.isEmpty ? nil : threads[min(place, threads.count - 1)].id
    }

    /// Keeps the last line of an open thread, or of the help, at the bottom.
    ///
    /// - Parameters:
    ///   - lines: The number of its lines.
    ///   - room: The number of those that fit.
    mutating func limitScroll(lines: Int, room: Int) { scroll.limit(lines: lines, room: room) }

    // MARK: - Keys

    /// Takes a key.
    ///
    /// - Parameters:
    ///   - threads: The threads in the order of the screen.
    ///   - room: The size of a page.
    mutating func press(_ key: KeyPress, _ threads: [MailThread], room: KeyRoom) -> Command? {
        switch mode {
        case .list: return pressInList(key, threads, room)
        case .thread(let id):
            return scroll.press(key, room: room) ? nil : pressInThread(key, id, threads.first { $0.id == id })
        case .help:
            if !scroll.press(key, room: room) { mode = .list }
            return nil
        }
    }

    private mutating func pressInList(_ key: KeyPress, _ threads: [MailThread], _ room: KeyRoom) -> Command? {
        let current = threads.indices.contains(position(in: threads)) ? threads[position(in: threads)] : nil
        switch key {
        case .up, .character("k"): move(-1, threads)
        case .down, .character("j"): move(1, threads)
        case .pageUp: move(-room.itemStep, threads)
        case .pageDown: move(room.itemStep, threads)
        case .home: move(-threads.count, threads)
        case .end: move(threads.count, threads)
        case .enter:
            guard let current else { return nil }
            (cursor, mode, scroll) = (current.id, .thread(current.id), PageScroll())
            return .open(current.id)
        case .escape: selected = []
        case .character(" "):
            guard let current else { return nil }
            if selected.remove(current.id) == nil { selected.insert(current.id) }
            move(1, threads)
        case .character("A"): selected = Set(threads.map(\.id))
        case .character("R"), .character("G"):
            guard let current else { return nil }
            cursor = current.id
            return .reply(current.id, toAll: key == .character("G"))
        case .character("z"): return .undo
        case .character("o"):
            guard threads.count >= limit else { return nil }
            limit += step
            return .reload
        case .character("?"): (mode, scroll) = (.help, PageScroll())
        case .character("q"): return .quit
        case .character(let letter):
            let chosen = selected.isEmpty ? [current].compactMap(\.self) : threads.filter { selected.contains($0.id) }
            guard let change = MailChange(key: letter, of: chosen) else { return nil }
            (cursor, selected) = (current?.id, [])
            return .perform(change, chosen.map(\.id))
        case .tab, .backspace: break
        }
        return nil
    }

    /// Takes a key for an open thread, wherever the cursor is by now: opening may have moved it off the list.
    ///
    /// - Parameter thread: The thread; nil if it isn't listed any more.
    private mutating func pressInThread(_ key: KeyPress, _ id: String, _ thread: MailThread?) -> Command? {
        switch key {
        case .escape, .enter, .character("q"): mode = .list
        case .character("R"): return .reply(id, toAll: false)
        case .character("G"): return .reply(id, toAll: true)
        case .character("z"): return .undo
        case .character(let letter):
            // One that left the list is in the archive, or was read.
            let change = thread.map { MailChange(key: letter, of: [$0]) } ?? MailChange(key: letter)
            guard let change else { return nil }
            if change != .star, change != .unstar { mode = .list }
            return .perform(change, [id])
        case .up, .down, .home, .end, .pageUp, .pageDown, .tab, .backspace: break
        }
        return nil
    }

    private mutating func move(_ step: Int, _ threads: [MailThread]) {
        guard !threads.isEmpty else { return }
        cursor = threads[max(0, min(threads.count - 1, position(in: threads) + step))].id
    }
}
