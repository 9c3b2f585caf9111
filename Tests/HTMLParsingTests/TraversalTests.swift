import HTMLParsing
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TraversalTests {
    private let tree = HTMLParser.parse("<!--a--><title>b</title><p id=c data-x=y>d<b>e</b>f</p><x-y>g</x-y>")

    private func first(_ name: HTMLName) throws -> HTMLTree.NodeID {
        try #require(tree.descendants(of: tree.root).first { tree.isElement($0, name) })
    }

    @Test func `siblings, parents and children lead to each other`() throws {
        let paragraph = try first(.p)
        let children = Array(tree.children(of: paragraph))
        #expect(children.map { tree.kind(of: $0) } == [.text, .element, .text])
        #expect(children.map { tree.text(of: $0) } == ["d", "", "f"])
        #expect(tree.firstChild(of: paragraph) == children[0])
        #expect(tree.lastChild(of: paragraph) == children[2])
        #expect(tree.nextSibling(of: children[1]) == children[2])
        #expect(tree.previousSibling(of: children[1]) == children[0])
        #expect(tree.previousSibling(of: children[0]) == nil)
        #expect(tree.parent(of: children[1]) == paragraph)
        #expect(tree.parent(of: tree.root) == nil)
        #expect(tree.brokenLink == nil)
    }

    @Test func `descendants come in tree order and end with the subtree`() throws {
        let paragraph = try first(.p)
        #expect(tree.descendants(of: paragraph).map { tree.text(of: $0) } == ["d", "", "e", "f"])
        let bold = try first(.b)
        #expect(Array(tree.descendants(of: bold)).count == 1)
        #expect(
            tree.node(after: paragraph, within: tree.root, skippingDescendants: true)
                .flatMap { tree.name(of: $0) }.map { tree.text(of: $0) } == "x-y"
        )
        #expect(tree.node(after: paragraph, within: paragraph, skippingDescendants: true) == nil)
    }

    @Test func `names that the standard knows are constants`() throws {
        #expect(HTMLName(known: "div") == .div)
        #expect(HTMLName(known: "viewBox") == .viewBox)
        #expect(HTMLName(known: "http-equiv") == .httpEquiv)
        #expect(HTMLName(known: "x-y") == nil)
        #expect(HTMLName(known: "") == nil)
        #expect(tree.text(of: HTMLName.preserveAspectRatio) == "preserveAspectRatio")
        let names = tree.descendants(of: tree.root).compactMap { tree.name(of: $0) }
        #expect(names.map(\.isKnown) == [true, true, true, true, true, true, false])
    }

    @Test func `attributes are found by name`() throws {
        let paragraph = try first(.p)
        #expect(tree.attribute(.id, of: paragraph) == "c")
        #expect(tree.attribute(.class, of: paragraph) == nil)
        #expect(tree.attributes(of: paragraph).map { tree.text(of: $0.name) } == ["id", "data-x"])
        #expect(tree.attributes(of: tree.root) == [])
    }

    @Test func `kinds, texts and namespaces are those of their nodes`() throws {
        let comment = try #require(tree.firstChild(of: tree.root))
        #expect(tree.kind(of: comment) == .comment)
        #expect(tree.text(of: comment) == "a")
        #expect(tree.withUTF8(of: comment) { Array($0) } == Array("a".utf8))
        #expect(tree.name(of: comment) == nil)
        #expect(tree.namespace(of: comment) == nil)
        #expect(tree.doctype(of: comment) == nil)
        #expect(tree.templateContents(of: comment) == nil)
        #expect(tree.kind(of: tree.root) == .document)
        #expect(tree.withUTF8(of: tree.root) { $0.count } == 0)
        #expect(HTMLParser.parseFragment("a").kind(of: HTMLParser.parseFragment("a").root) == .documentFragment)
    }
}
