import Foundation

/// The terminal, or whatever the program's input and output are.
package enum Terminal {
    /// Prints a line at once, also into a pipe.
    package static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    /// Prints that something failed.
    package static func complain(_ error: any Error) {
        FileHandle.standardError.write(Data("\(error.localizedDescription)\n".utf8))
    }

    /// What is typed, line by line, until the input ends. To be asked for once.
    package static func lines() -> AsyncStream<String> {
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        // Reading waits, and so has a thread of its own.
        Thread.detachNewThread {
            while let line = readLine() { continuation.yield(line.trimmingCharacters(in: .whitespaces)) }
            continuation.finish()
        }
        return lines
    }

    /// A command with a number, such as `a 2`: the item of that number in a list that is counted from 1.
    package static func item<Item>(_ line: String, after command: String, in items: [Item]) -> Item? {
        let words = line.split(separator: " ")
        guard words.count == 2, words[0] == command, let number = Int(words[1]), items.indices.contains(number - 1)
        else { return nil }
        return items[number - 1]
    }
}
