import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The terminal's alternate screen, which preserves the contents of the main screen.
struct Screen {
    func open() {
        // The alternate screen; cursor hidden; no wrapping, so that a line that a terminal measures differently doesn't
        // shift the rest.
        Output.raw("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l")
    }

    func close() {
        Output.raw("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
    }

    /// Replaces the contents with the lines, in one write and without clearing the screen first, to avoid flicker.
    func draw(_ lines: [String]) {
        var text = "\u{1B}[H"
        // Each line is cleared before it is written: after a full line the cursor is still on its last character.
        text += lines.map { "\u{1B}[K" + $0 }.joined(separator: "\r\n")
        Output.raw(text)
    }

    /// Sends an element when the screen has to be redrawn without new data: after a resize, and at a regular interval.
    static func redraws(every seconds: Int) -> AsyncStream<Void> {
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

    /// The sources as one value for the stream's termination handler. Dispatch objects are thread-safe.
    private struct Sources: @unchecked Sendable {
        let resized: any DispatchSourceSignal
        let timer: any DispatchSourceTimer

        func cancel() {
            resized.cancel()
            timer.cancel()
        }
    }
}
