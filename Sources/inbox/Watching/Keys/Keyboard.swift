import Dispatch
import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The keyboard of the terminal on standard input.
enum Keyboard {
    /// Whether standard input is a terminal.
    static var isPresent: Bool { isatty(STDIN_FILENO) == 1 }

    private static let queue = DispatchQueue(label: "inbox.keyboard")

    /// Waits until no key is read any more, once a stream of ``presses()`` has ended. The next keys are for the program
    /// that reads the terminal then, such as an editor.
    static func waitUntilIdle() { queue.sync {} }

    /// Returns the keys as they are pressed, without echo. The terminal is as before once the stream ends. Ctrl-C still
    /// is a signal.
    static func presses() -> AsyncStream<KeyPress> {
        let (stream, continuation) = AsyncStream.makeStream(of: KeyPress.self)
        var before = termios()
        let isKnown = tcgetattr(STDIN_FILENO, &before) == 0
        var keys = before
        keys.c_lflag &= ~tcflag_t(ICANON | ECHO)
        if isKnown { tcsetattr(STDIN_FILENO, TCSANOW, &keys) }
        let source = DispatchSource.makeReadSource(
            fileDescriptor: STDIN_FILENO,
            queue: queue
        )
        let reader = Reader(source: source, before: isKnown ? before : nil)
        source.setEventHandler { reader.read(into: continuation) }
        continuation.onTermination = { _ in reader.end() }
        source.activate()
        return stream
    }

    /// Reads from the terminal. Only the source's queue accesses the parser.
    private final class Reader: @unchecked Sendable {
        private let source: any DispatchSourceRead
        private let before: termios?
        private var parser = KeyParser()

        init(source: any DispatchSourceRead, before: termios?) {
            (self.source, self.before) = (source, before)
        }

        func read(into continuation: AsyncStream<KeyPress>.Continuation) {
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = Foundation.read(STDIN_FILENO, &bytes, bytes.count)
            guard count > 0 else {
                if count == 0 || errno != EINTR && errno != EAGAIN { continuation.finish() }
                return
            }
            for key in parser.keys(bytes.prefix(count)) { continuation.yield(key) }
        }

        func end() {
            source.cancel()
            if var before { tcsetattr(STDIN_FILENO, TCSANOW, &before) }
        }
    }
}
