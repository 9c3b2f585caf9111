import Testing

@testable import inbox

@Suite(.timeLimit(.minutes(5))) struct FairUseOptionsTests {
    @Test(arguments: ["0.001/1", "100/5000", "1000000/1", "none"]) func `a rate is accepted`(text: String) throws {
        #expect((try FairUseOptions.rate(text) == nil) == (text == "none"))
    }

    @Test(arguments: ["1e-20/5000", "0.0009/1", "0/1", "-1/1", "nan/1", "inf/1", "1/0", "1/1.5", "1", "/1", "1/1/1"])
    func `a rate that is too low, or isn't one, is rejected`(text: String) {
        #expect(throws: (any Error).self) { try FairUseOptions.rate(text) }
    }
}
