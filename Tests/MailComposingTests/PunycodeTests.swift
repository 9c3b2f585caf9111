import SeededRandom
import Testing

@testable import MailComposing

/// The encoding of Unicode in domain names.
@Suite(.timeLimit(.minutes(5))) struct PunycodeTests {
    /// The samples of RFC 3492, section 7.1.
    private static let samples = [
        ("ليهمابتكلموشعربي؟", "egbpdaj6bu4bxfgehfvwxn"), ("他们为什么不说中文", "ihqwcrb4cv8a8dqg056pqjye"),
        ("他們爲什麽不說中文", "ihqwctvzc91f659drss3x8bo0yb"), ("Pročprostěnemluvíčesky", "Proprostnemluvesky-uyb24dma41a"),
        ("למההםפשוטלאמדבריםעברית", "4dbcagdahymbxekheh6e0a7fei0b"),
        ("यहलोगहिन्दीक्योंनहींबोलसकतेहैं", "i1baa7eci9glrd9b2ae1bj0hfcgg6iyaf8o0a1dig0cd"),
        ("なぜみんな日本語を話してくれないのか", "n8jok5ay5dzabd5bym9f0cm5685rrjetr6pdxa"),
        (
            "세계의모든사람들이한국어를이해한다면얼마나좋을까",
            "989aomsvi5e83db1d2a355cv1e0vak1dwrv93d5xbh15a0dt30a5jpsd879ccm6fea98c"
        ), ("почемужеонинеговорятпорусски", "b1abfaaepdrnnbgefbadotcwatmq2g4l"),
        ("PorquénopuedensimplementehablarenEspañol", "PorqunopuedensimplementehablarenEspaol-fmd56a"),
        ("TạisaohọkhôngthểchỉnóitiếngViệt", "TisaohkhngthchnitingVit-kjcr8268qyxafd2f1b9g"),
        ("3年B組金八先生", "3B-ww4c5e180e575a65lsy2b"),
        ("安室奈美恵-with-SUPER-MONKEYS", "-with-SUPER-MONKEYS-pc58ag80a8qai00g7n9n"),
        ("Hello-Another-Way-それぞれの場所", "Hello-Another-Way--fc4qua05auwb3674vfr0b"), ("ひとつ屋根の下2", "2-u9tlzr9756bt3uc0v"),
        ("MajiでKoiする5秒前", "MajiKoi5-783gue6qz075azm5e"), ("パフィーdeルンバ", "de-jg4avhby1noc0d"),
        ("そのスピードで", "d9juau41awczczp"),
        ("-> $1.00 <-", "-> $1.00 <--"),
    ]

    @Test(arguments: samples) func `the samples of RFC 3492 are encoded and decoded`(text: String, ascii: String) {
        #expect(Punycode.encoded(Array(text.unicodeScalars)) == ascii)
        #expect(Punycode.decoded(ascii.utf8).map { $0.map { "\($0)" }.joined() } == text)
    }

    @Test func `any scalars are decoded as they were encoded`() {
        var random = Seeded(1)
        for _ in 0..<2_000 {
            let scalars = (0..<Int.random(in: 0...40, using: &random)).map { _ -> Unicode.Scalar in
                let limit: UInt32 = random.chance(0.5) ? 0x7F : random.chance(0.5) ? 0x2FFF : 0x10FFFF
                return Unicode.Scalar(UInt32.random(in: 0...limit, using: &random)) ?? "x"
            }
            #expect(Punycode.decoded(Punycode.encoded(scalars).utf8) == scalars)
        }
    }

    @Test func `invalid Punycode decodes to nil, and random bytes don't crash`() {
        for text in ["99999999", "zzzzzzzzzzzz", "a_b", "é-a", "b!", "999999999999999999999999999999", "0000"] {
            #expect(Punycode.decoded(text.utf8) == nil)
        }
        // A surrogate.
        #expect(Punycode.decoded("ib9b".utf8) == nil || Punycode.decoded("ib9b".utf8)?.isEmpty == false)
        var random = Seeded(2)
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                UInt8.random(in: 0x2D...0x7A, using: &random)
            }
            _ = Punycode.decoded(bytes)
        }
    }
}
