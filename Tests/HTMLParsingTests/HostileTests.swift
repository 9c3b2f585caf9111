import Foundation
import HTMLInputs
import HTMLParsing
import Testing

@Suite(.timeLimit(.minutes(5)), .serialized)
struct HostileTests {
    /// All inputs in long tests, otherwise every tenth.
    private static let timed =
        ProcessInfo.processInfo.environment["SWIFT_INBOX_LONG_TESTS"] == nil
        ? HostileInput.all.indices.filter { $0 % 10 == 1 }.map { HostileInput.all[$0] } : HostileInput.all

    @Test func `there are at least 50 hostile inputs`() {
        #expect(HostileInput.all.count >= 50)
        #expect(Set(HostileInput.all.map(\.name)).count == HostileInput.all.count)
    }

    /// Four times the input may take four times the processor time. Quadratic growth would take sixteen times. The
    /// smaller input is large enough to reach the limit of the depth.
    @Test(arguments: timed)
    func `time grows linearly with a hostile input`(input: HostileInput) {
        let limits = HTMLLimits(nodes: 1 << 24)
        let small = Array(input.text(16_000).utf8)
        let large = Array(input.text(64_000).utf8)
        func time(_ bytes: [UInt8]) -> Double {
            ProcessorTime.measure { _ = HTMLParser.parse(bytes, limits: limits).nodeCount }
        }
        var ratio = time(large) / time(small)
        // A measurement may be disturbed, but not each of them.
        for _ in 0..<4 where ratio > 8 {
            ratio = min(ratio, time(large) / min(time(small), time(small)))
        }
        #expect(ratio <= 8)
    }

    @Test(arguments: HostileInput.all)
    func `the tree of a hostile input is whole and within its limits`(input: HostileInput) {
        let limits = HTMLLimits(depth: 64, nodes: 20_000)
        let tree = HTMLParser.parse(input.text(20_000), limits: limits)
        #expect(tree.brokenLink == nil)
        #expect(tree.depth <= 64)
        #expect(tree.nodeCount <= 20_100)
    }
}
