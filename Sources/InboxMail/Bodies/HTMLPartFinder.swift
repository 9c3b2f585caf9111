import Foundation
import HTMLParsing
import MailComposing

/// Divides a mail's tree into the author's own text, quotations and signatures.
///
/// The tree is read as a sequence of pieces: texts, elements without children, and elements that are a quotation or a
/// signature with all they contain. Each has a kind; a part is a run of pieces of one kind.
struct HTMLPartFinder {
    private typealias Kind = MailText.Part.Kind

    private let tree: HTMLTree
    private var pieces: [Piece] = []
    private var line = 0
    /// The pieces in each element that was walked over: those from the first number up to the second one.
    private var ranges: [HTMLTree.NodeID: Range<Int>] = [:]

    private struct Piece {
        var kind: Kind
        let line: Int
        let text: String
        /// Whether it is a line across the page.
        let isRule: Bool
        /// Whether all that follows is quoted.
        let beginsQuotation: Bool

        /// Whether it shows nothing but space.
        let isBlank: Bool
    }

    init(_ tree: HTMLTree) {
        self.tree = tree
    }

    /// Returns the kinds of the parts in order, and the nodes of all others.
    mutating func parts() -> [(kind: MailText.Part.Kind, others: Set<HTMLTree.NodeID>)] {
        guard let html = tree.children(of: tree.root).first(where: { tree.isElement($0, .html) }),
            let body = tree.children(of: html).first(where: { tree.isElement($0, .body) })
        else { return [(.own, [])] }
        readPieces(in: body)
        findLines()
        let runs = runs()
        guard runs.count > 1 else { return [(runs.first?.kind ?? .own, [])] }
        return runs.map { run in (run.kind, nodes(in: body, outside: run.pieces)) }
    }
}

// MARK: - Pieces

extension HTMLPartFinder {
    private mutating func readPieces(in body: HTMLTree.NodeID) {
        var starts: [Int] = []
        var current = tree.firstChild(of: body)
        while let node = current {
            let isElement = tree.kind(of: node) == .element
            let isBlock = isElement && (tree.name(of: node).map(HTMLElements.blocks.contains) ?? false)
            if isBlock { line += 1 }
            if let child = tree.firstChild(of: node), kind(of: node) == nil, !beginsQuotation(node), isSeen(node) {
                starts.append(pieces.count)
                current = child
                continue
            }
            append(node)
            ranges[node] = pieces.count - 1..<pieces.count
            if isBlock { line += 1 }
            current = following(node, in: body, &starts)
        }
    }

    private mutating func following(
        _ node: HTMLTree.NodeID,
        in body: HTMLTree.NodeID,
        _ starts: inout [Int]
    ) -> HTMLTree.NodeID? {
        var node = node
        while true {
            if let next = tree.nextSibling(of: node) { return next }
            guard let parent = tree.parent(of: node), parent != body else { return nil }
            ranges[parent] = starts.removeLast()..<pieces.count
            if tree.name(of: parent).map(HTMLElements.blocks.contains) ?? false { line += 1 }
            node = parent
        }
    }

    private mutating func append(_ node: HTMLTree.NodeID) {
        let text = tree.kind(of: node) == .text ? tree.text(of: node) : ""
        let begins = beginsQuotation(node)
        let kind = kind(of: node) ?? .own
        let isPicture = tree.isElement(node, .img)
        pieces.append(
            Piece(
                kind: kind,
                line: line,
                text: text,
                isRule: tree.isElement(node, .hr),
                beginsQuotation: begins,
                isBlank: kind == .own && !begins && !isPicture && text.allSatisfy(\.isWhitespace)
            )
        )
    }

    private func isSeen(_ node: HTMLTree.NodeID) -> Bool {
        tree.name(of: node).map { !HTMLElements.unseen.contains($0) } ?? true
    }

    /// Returns the kind of an element that mail programs mark as a quotation or a signature, or nil.
    private func kind(of node: HTMLTree.NodeID) -> MailText.Part.Kind? {
        guard tree.kind(of: node) == .element else { return nil }
        let classes = words(.class, of: node)
        let id = tree.attribute(.id, of: node)?.lowercased() ?? ""
        if !classes.isDisjoint(with: Self.signatureClasses) || Self.signatureIDs.contains(id) { return .signature }
        if !classes.isDisjoint(with: Self.quotationClasses) { return .quoted }
        if tree.isElement(node, .blockquote) {
            let isCited = tree.attribute(.type, of: node)?.lowercased() == "cite"
            return isCited || classes.contains("gmail_quote") ? .quoted : nil
        }
        // Gmail's answers between quotations are in the same element, beside them.
        guard classes.contains("gmail_quote") else { return nil }
        return tree.children(of: node).contains { tree.isElement($0, .blockquote) } ? nil : .quoted
    }

    /// Whether an element is the header of a mail that was forwarded or replied to, as Outlook marks it.
    private func beginsQuotation(_ node: HTMLTree.NodeID) -> Bool {
        guard tree.kind(of: node) == .element else { return false }
        return tree.attribute(.id, of: node)?.lowercased() == "divrplyfwdmsg"
            || !words(.class, of: node).isDisjoint(with: ["outlookmessageheader", "moz-email-headers-table"])
    }

    private func words(_ name: HTMLName, of node: HTMLTree.NodeID) -> Set<String> {
        guard let value = tree.attribute(name, of: node) else { return [] }
        return Set(value.lowercased().split(whereSeparator: \.isWhitespace).map { String($0) })
    }

    private static let signatureClasses: Set<String> = [
        "gmail_signature", "gmail_signature_prefix", "moz-signature", "protonmail_signature_block",
    ]
    private static let signatureIDs: Set<String> = ["signature", "ms-outlook-mobile-signature", "applemailsignature"]
    private static let quotationClasses: Set<String> = [
        "gmail_attr", "moz-cite-prefix", "yahoo_quoted", "protonmail_quote",
    ]
}

// MARK: - Lines

extension HTMLPartFinder {
    /// A line of the author's own text.
    private struct Line {
        var pieces: Range<Int>
        var text = ""
    }

    /// The bytes of a line that are read.
    private static var maxLineLength: Int { 1_000 }

    /// Finds quotations and signatures without elements of their own, by lines of the author's text.
    private mutating func findLines() {
        let lines = ownLines()
        let texts = lines.map { $0.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")[...] }
        for (index, line) in lines.enumerated() {
            if pieces[line.pieces.lowerBound].beginsQuotation || MailText.isForwarding(texts, from: index) {
                let start = withRule(before: line.pieces.lowerBound)
                for piece in start..<pieces.count { pieces[piece].kind = .quoted }
                break
            }
        }
        for (index, line) in lines.enumerated() where texts[index] == "--" {
            guard pieces[line.pieces.lowerBound].kind == .own, line.text.last?.isWhitespace ?? false else { continue }
            for piece in line.pieces.lowerBound..<pieces.count where pieces[piece].kind == .own {
                pieces[piece].kind = .signature
            }
            break
        }
        findIntroductions(lines, texts)
    }

    /// Returns the lines with text, and the pieces that begin a quotation.
    private func ownLines() -> [Line] {
        var lines: [Line] = []
        var last = -1
        for (index, piece) in pieces.enumerated() where piece.kind == .own && !piece.isBlank {
            if piece.line != last || lines.isEmpty || piece.beginsQuotation {
                lines.append(Line(pieces: index..<index))
                last = piece.line
            }
            lines[lines.count - 1].pieces = lines[lines.count - 1].pieces.lowerBound..<index + 1
            // The spaces between are in the texts, or in pieces that are blank.
            if lines[lines.count - 1].text.utf8.count < Self.maxLineLength {
                lines[lines.count - 1].text += piece.text.prefix(Self.maxLineLength)
            }
        }
        return lines
    }

    /// Includes the lines that introduce quotations, and everything between line and quotation.
    private mutating func findIntroductions(_ lines: [Line], _ texts: [Substring]) {
        for (index, line) in lines.enumerated() where pieces[line.pieces.lowerBound].kind == .own {
            guard MailText.isIntroduction(texts[index]) else { continue }
            let next = pieces[line.pieces.upperBound...].firstIndex { !$0.isBlank } ?? pieces.count
            guard next < pieces.count, pieces[next].kind == .quoted else { continue }
            var start = line.pieces.lowerBound
            if index > 0, !MailText.beginsIntroduction(texts[index]), MailText.beginsIntroduction(texts[index - 1]) {
                start = lines[index - 1].pieces.lowerBound
            }
            for piece in start..<next where pieces[piece].kind == .own { pieces[piece].kind = .quoted }
        }
    }

    /// The place of a line across the page right before a place, or that place.
    private func withRule(before index: Int) -> Int {
        var place = index
        while place > 0, pieces[place - 1].isBlank {
            place -= 1
            if pieces[place].isRule { return place }
        }
        return index
    }
}

// MARK: - Parts

extension HTMLPartFinder {
    private struct Run {
        let kind: Kind
        var pieces: Range<Int>
    }

    /// Returns the runs of pieces of one kind. Space belongs to the piece before it, or else to the one after it.
    private func runs() -> [Run] {
        var runs: [Run] = []
        for (index, piece) in pieces.enumerated() {
            let continues = runs.last?.kind == piece.kind || (piece.kind == .own && piece.isBlank && !runs.isEmpty)
            if continues || runs.count == MailHTML.maxPartCount {
                runs[runs.count - 1].pieces = runs[runs.count - 1].pieces.lowerBound..<index + 1
            } else if runs.count == 1, pieces[runs[0].pieces].allSatisfy(\.isBlank), runs[0].kind == .own {
                runs[0] = Run(kind: piece.kind, pieces: 0..<index + 1)
            } else {
                runs.append(Run(kind: piece.kind, pieces: index..<index + 1))
            }
        }
        return runs
    }

    /// Returns the outermost nodes that have no piece of a run.
    private func nodes(in body: HTMLTree.NodeID, outside run: Range<Int>) -> Set<HTMLTree.NodeID> {
        var outside: Set<HTMLTree.NodeID> = []
        var current = tree.firstChild(of: body)
        while let node = current {
            let range = ranges[node] ?? 0..<0
            let isOutside = !range.overlaps(run)
            if isOutside { outside.insert(node) }
            let isInside = run.lowerBound <= range.lowerBound && range.upperBound <= run.upperBound
            current = tree.node(after: node, within: body, skippingDescendants: isOutside || isInside)
        }
        return outside
    }
}
