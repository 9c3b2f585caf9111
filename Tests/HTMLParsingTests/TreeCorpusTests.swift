import HTMLInputs
import Testing

@Suite(.timeLimit(.minutes(5)), .enabled(if: HTMLCorpus.isPresent))
struct TreeCorpusTests {
    @Test func `every case of html5lib-tests without scripting has the tree that it lists`() throws {
        let all = try TreeCase.all()
        let cases = all.filter { !$0.isScripted }
        let differences = cases.compactMap { $0.difference() }
        let leftOut = all.filter(\.isScripted).map(\.name)
        print(
            "html5lib-tests, tree construction: \(cases.count - differences.count) of \(cases.count);",
            "left out because they need scripting: \(leftOut.joined(separator: ", "))"
        )
        #expect(cases.count == 1_784)
        #expect(leftOut.count == 12)
        let shown = differences.prefix(25).joined(separator: "\n")
        #expect(shown.isEmpty)
    }
}
