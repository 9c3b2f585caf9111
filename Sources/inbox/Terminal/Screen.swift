import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The terminal's other screen, which leaves what was on it before untouched.
struct Screen {
    func open() {
        // The other screen; cursor hidden; no wrapping, so that a line that a terminal measures otherwise doesn't shift
        // the rest.
        Output.raw("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l")
    }

    func close() {
        Output.raw("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
    }

    /// Puts the lines in place of what is there, in one write and without clearing first, so that nothing flickers.
    func draw(_ lines: [String]) {
        var text = "\u{1B}[H"
        // Each line is cleared before it is written: after a full one the cursor still stands on its last character.
        text += lines.map { "\u{1B}[K" + $0 }.joined(separator: "\r\n")
        Output.raw(text)
    }

    /// When there is reason to draw again though nothing has changed: another size, and every so many seconds.
    static func looks(every seconds: Int) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let queue = DispatchQueue(label: "inbox.screen")
        let resized = DispatchSource.makeSignalSource(signal: SIGWINCH, queue: queue)
        resized.setEventHandler { continuation.yield() }
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + .seconds(seconds), repeating: .seconds(seconds))
        timer.setEventHandler { continuation.yield() }
        resized.activate()
        timer.activate()
        let sources = Sources(resized: resized, timer: timer)
        continuation.onTermination = { _ in sources.cancel() }
        return stream
    }

    /// The sources as one value that may go to the stream's end. Dispatch's objects may be used from any thread.
    private struct Sources: @unchecked Sendable {
        let resized: any DispatchSourceSignal
        let timer: any DispatchSourceTimer

        func cancel() {
            resized.cancel()
            timer.cancel()
        }
    }
}
