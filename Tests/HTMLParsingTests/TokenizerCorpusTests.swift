import HTMLInputs
import Testing

@testable import HTMLParsing

@Suite(.timeLimit(.minutes(5)), .enabled(if: HTMLCorpus.isPresent))
struct TokenizerCorpusTests {
    @Test func `every case of html5lib-tests has the tokens and errors that it lists`() throws {
        let cases = try TokenizerCase.all()
        let differences = cases.compactMap { $0.difference() }
        let failed = Set(differences.map(\.test))
        let tests = Set(cases.map(\.test)).count
        print(
            "html5lib-tests, tokenizer: \(tests - failed.count) of \(tests) cases,",
            "\(cases.count - differences.count) of \(cases.count) in all their initial states; left out: none"
        )
        #expect(tests == 6_810)
        #expect(cases.count == 7_036)
        let shown = differences.prefix(20).map(\.text).joined(separator: "\n")
        #expect(shown.isEmpty)
    }
}
