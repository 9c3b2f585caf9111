import Groundwork
import Testing

/// Random numbers from a given source.
@Suite(.timeLimit(.minutes(5))) struct RandomSourceTests {
    @Test func `a unit random number is from 0 up to, but not including, 1`() {
        #expect(RandomSource { 0 }.unit() == 0)
        #expect(RandomSource { .max }.unit() < 1)
        #expect(RandomSource { .max }.unit() > 0.999)
        #expect(RandomSource { 1 << 63 }.unit() == 0.5)
    }

    @Test func `random bytes and tokens have the requested length`() {
        #expect(RandomSource { 0x1FF }.bytes(3) == [255, 255, 255])
        #expect(RandomSource { 31 }.token(length: 4) == "zzzz")
        #expect(RandomSource.system.bytes(0).isEmpty)
        #expect(RandomSource.system.token(length: 40).count == 40)
    }

    @Test func `two system tokens differ`() {
        #expect(RandomSource.system.token(length: 16) != RandomSource.system.token(length: 16))
    }
}
