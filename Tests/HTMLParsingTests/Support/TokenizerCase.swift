import Foundation
import HTMLInputs
import Testing

@testable import HTMLParsing

/// A token as the corpus writes it. Texts are UTF-8 in which lone surrogates are encoded too.
enum WrittenToken: Equatable {
    case doctype(name: [UInt8]?, publicID: [UInt8]?, systemID: [UInt8]?, isCorrect: Bool)
    case startTag([UInt8], [[UInt8]: [UInt8]], isSelfClosing: Bool)
    case endTag([UInt8])
    case comment([UInt8])
    case characters([UInt8])
}

/// An error as the corpus writes it.
struct WrittenError: Hashable, Comparable {
    let code: String
    let line: Int
    let column: Int

    static func < (left: WrittenError, right: WrittenError) -> Bool {
        (left.line, left.column, left.code) < (right.line, right.column, right.code)
    }
}

/// A case of the tokenizer's corpus in one of its initial states.
struct TokenizerCase {
    let name: String
    /// The number of the test, which may have several initial states.
    let test: Int
    let input: [UInt8]
    let state: Tokenizer.State
    let lastStartTag: String?
    let tokens: [WrittenToken]
    /// Nil if the case lists none, for then the corpus doesn't check them.
    let errors: [WrittenError]?
    /// Whether the tokens are those of a tree that XML can express.
    let isXML: Bool

    private static let states: [String: Tokenizer.State] = [
        "Data state": .data, "RCDATA state": .rcdata, "RAWTEXT state": .rawText, "Script data state": .scriptData,
        "PLAINTEXT state": .plaintext, "CDATA section state": .cdata,
    ]

    /// All cases, or an error that names the part that can't be read.
    static func all() throws -> [TokenizerCase] {
        var count = 0
        return try HTMLCorpus.files(in: "tokenizer", ending: ".test").flatMap { file, data in
            let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            return try ["tests", "xmlViolationTests"].flatMap { key in
                try (json[key] as? [[String: Any]] ?? []).flatMap { test in
                    count += 1
                    return try cases(test, number: count, file: file, isXML: key != "tests")
                }
            }
        }
    }

    private static func cases(_ json: [String: Any], number: Int, file: String, isXML: Bool) throws -> [TokenizerCase] {
        let isEscaped = json["doubleEscaped"] as? Bool ?? false
        let name = try #require(json["description"] as? String)
        let input = bytes(try #require(json["input"] as? String), isEscaped: isEscaped)
        let tokens = try #require(json["output"] as? [[Any]]).map { try token($0, isEscaped: isEscaped) }
        let errors = try (json["errors"] as? [[String: Any]])?.map { error in
            WrittenError(
                code: try #require(error["code"] as? String),
                line: try #require(error["line"] as? Int),
                column: try #require(error["col"] as? Int)
            )
        }
        return try (json["initialStates"] as? [String] ?? ["Data state"]).map { state in
            TokenizerCase(
                name: "\(file): \(name) [\(state)]",
                test: number,
                input: input,
                state: try #require(states[state]),
                lastStartTag: json["lastStartTag"] as? String,
                tokens: merged(tokens),
                errors: errors,
                isXML: isXML
            )
        }
    }

    private static func token(_ json: [Any], isEscaped: Bool) throws -> WrittenToken {
        func text(_ index: Int) -> [UInt8]? {
            (json[index] as? String).map { bytes($0, isEscaped: isEscaped) }
        }
        switch json[0] as? String {
        case "DOCTYPE":
            return .doctype(name: text(1), publicID: text(2), systemID: text(3), isCorrect: json[4] as? Bool ?? false)
        case "StartTag":
            let attributes = try #require(json[2] as? [String: String]).map { name, value in
                (bytes(name, isEscaped: isEscaped), bytes(value, isEscaped: isEscaped))
            }
            return .startTag(
                try #require(text(1)),
                Dictionary(uniqueKeysWithValues: attributes),
                isSelfClosing: json.count > 3 && json[3] as? Bool ?? false
            )
        case "EndTag": return .endTag(try #require(text(1)))
        case "Comment": return .comment(try #require(text(1)))
        default: return .characters(try #require(text(1)))
        }
    }

    /// Joins neighbouring characters, which the corpus expects in one token.
    static func merged(_ tokens: [WrittenToken]) -> [WrittenToken] {
        var merged: [WrittenToken] = []
        for token in tokens {
            if case .characters(let new) = token, case .characters(let old)? = merged.last {
                merged[merged.count - 1] = .characters(old + new)
            } else {
                merged.append(token)
            }
        }
        return merged
    }

    /// The text's UTF-8, with `\uXXXX` resolved if the case is escaped twice. A lone surrogate becomes three bytes.
    private static func bytes(_ text: String, isEscaped: Bool) -> [UInt8] {
        guard isEscaped else { return Array(text.utf8) }
        var units: [UInt16] = []
        var rest = Array(text.utf16)[...]
        while let unit = rest.first {
            if unit == 0x5C, rest.dropFirst().first == 0x75,
                let escape = UInt16(String(decoding: rest.dropFirst(2).prefix(4), as: UTF16.self), radix: 16)
            {
                units.append(escape)
                rest = rest.dropFirst(6)
            } else {
                units.append(unit)
                rest = rest.dropFirst()
            }
        }
        var bytes: [UInt8] = []
        var index = 0
        while index < units.count {
            let unit = units[index]
            if UTF16.isLeadSurrogate(unit), index + 1 < units.count, UTF16.isTrailSurrogate(units[index + 1]) {
                bytes += Array(String(decoding: units[index...(index + 1)], as: UTF16.self).utf8)
                index += 2
                continue
            }
            if 0xD800...0xDFFF ~= unit {
                bytes += [0xED, UInt8(0x80 | (unit >> 6) & 0x3F), UInt8(0x80 | unit & 0x3F)]
            } else {
                bytes += Array(String(decoding: [unit], as: UTF16.self).utf8)
            }
            index += 1
        }
        return bytes
    }
}
