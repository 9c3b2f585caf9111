import Foundation

/// The program's standard input and output.
package enum Terminal {
    /// Prints a line at once, also to a pipe.
    package static func printLine(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    /// Prints an error.
    package static func printError(_ error: any Error) {
        FileHandle.standardError.write(Data("\(error.localizedDescription)\n".utf8))
    }

    /// Returns the lines of the input, until it ends. Call this only once.
    package static func lines() -> AsyncStream<String> {
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        // Reading blocks, so it has its own thread.
        Thread.detachNewThread {
            while let line = readLine() { continuation.yield(line.trimmingCharacters(in: .whitespaces)) }
            continuation.finish()
        }
        return lines
    }

    /// Returns the item that a command such as `a 2` names by its number in a list, counted from 1.
    package static func item<Item>(_ line: String, after command: String, in items: [Item]) -> Item? {
        let words = line.split(separator: " ")
        guard words.count == 2, words[0] == command, let number = Int(words[1]), items.indices.contains(number - 1)
        else { return nil }
        return items[number - 1]
    }
}
