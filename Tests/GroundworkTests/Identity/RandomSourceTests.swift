import Groundwork
import Testing

/// Random numbers from whatever source is given.
@Suite(.timeLimit(.minutes(5))) struct RandomSourceTests {
    @Test func unit_isFromZeroUpToOne() {
        #expect(RandomSource { 0 }.unit() == 0)
        #expect(RandomSource { .max }.unit() < 1)
        #expect(RandomSource { .max }.unit() > 0.999)
        #expect(RandomSource { 1 << 63 }.unit() == 0.5)
    }

    @Test func bytesAndTokens_haveTheLengthAskedFor() {
        #expect(RandomSource { 0x1FF }.bytes(3) == [255, 255, 255])
        #expect(RandomSource { 31 }.token(length: 4) == "zzzz")
        #expect(RandomSource.system.bytes(0).isEmpty)
        #expect(RandomSource.system.token(length: 40).count == 40)
    }

    @Test func systemTokens_differ() {
        #expect(RandomSource.system.token(length: 16) != RandomSource.system.token(length: 16))
    }
}
