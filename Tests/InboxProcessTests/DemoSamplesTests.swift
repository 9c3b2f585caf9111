import Foundation
import Testing

@testable import inbox

/// The sample messages that the tool has.
@Suite(.timeLimit(.minutes(5))) struct DemoSamplesTests {
    @Test func `the tool has the messages and pictures of the folder Examples`() throws {
        let examples = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Examples")
        let advice: Comment = "Run scripts/generate-demo-samples."
        let messages = try String(contentsOf: examples.appending(path: "demo.json"), encoding: .utf8)
        #expect(DemoSamples.messages == messages, advice)
        for (name, picture) in DemoSamples.pictures {
            let file = examples.appending(path: "Pictures").appending(path: name)
            #expect(try picture == String(contentsOf: file, encoding: .utf8), advice)
        }
        let named = Set(messages.matches(of: /\/inbox\/pictures\/([^"]+)/).map { String($0.output.1) })
        #expect(named.subtracting(DemoSamples.pictures.keys) == ["deleted.svg"], "the missing one shows a placeholder")
    }
}
