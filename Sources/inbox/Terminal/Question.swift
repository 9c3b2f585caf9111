import Foundation

/// A question at a terminal.
enum Question {
    /// Asks until the person gives one of the answers, or their first letter in either case.
    ///
    /// - Parameters:
    ///   - answers: The answers, in lowercase.
    ///   - standard: The answer for an empty line, and at the end of the input.
    static func ask(_ text: String, _ answers: [String], default standard: String) -> String {
        while true {
            Output.status(text)
            guard let line = readLine() else {
                Output.status("\n")
                return standard
            }
            let typed = line.trimmingCharacters(in: .whitespaces).lowercased()
            if typed.isEmpty { return standard }
            if let answer = answers.first(where: { typed.hasPrefix($0) }) { return answer }
        }
    }
}
