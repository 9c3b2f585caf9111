import Groundwork
import InboxModel
import Testing

@Suite(.timeLimit(.minutes(5))) struct ConsentStateTests {
    private let consent = ConsentState(categories: ["yes": true, "no": false], otherwise: false, granted: true)

    @Test(
        arguments: [
            (nil, nil, true), ("yes", nil, true), ("no", nil, false), ("other", nil, false), (nil, "yes", true),
            (nil, "no", false), (nil, "other", true), ("no", "yes", false), ("yes", "no", true),
        ] as [(String?, String?, Bool)]
    )
    func `a category decides, and the sender's claim where the person decided nothing`(
        category: String?,
        granted: String?,
        isAllowed: Bool
    ) {
        #expect(consent.allows(consentCategory: category, grantedConsentCategory: granted) == isAllowed)
    }

    @Test(arguments: [(true, true, true), (false, false, false), (nil, false, true)] as [(Bool?, Bool, Bool)])
    func `one decision covers all categories, and no decision denies them`(
        holds: Bool?,
        isAllowed: Bool,
        isGrantedAllowed: Bool
    ) {
        let consent = ConsentState(holds: holds)
        #expect(consent.allows(consentCategory: "x", grantedConsentCategory: nil) == isAllowed)
        #expect(consent.allows(consentCategory: nil, grantedConsentCategory: "x") == isGrantedAllowed)
        #expect(consent.allows(consentCategory: nil, grantedConsentCategory: nil))
    }

    @Test func `consent is unlimited only when no message could be denied`() {
        #expect(ConsentState(otherwise: true).isUnlimited)
        #expect(ConsentState(categories: ["a": true], otherwise: true).isUnlimited)
        #expect(!ConsentState(otherwise: true, granted: false).isUnlimited)
        #expect(!ConsentState(categories: ["a": false], otherwise: true).isUnlimited)
        #expect(!ConsentState().isUnlimited)
    }

    @Test func `consent is the same after JSON, and a missing member isn't consent`() throws {
        #expect(try ConsentState(checking: JSONReader(consent.json)) == consent)
        #expect(try ConsentState(checking: JSONReader([:])) == ConsentState(holds: nil))
    }

    @Test(
        arguments: [
            ("[]", ""), (#"{"categories":{"a":1}}"#, "/categories/a"), (#"{"otherwise":"no"}"#, "/otherwise"),
            (#"{"granted":0}"#, "/granted"), (#"{"news":true}"#, "/news"),
        ]
    )
    func `invalid consent is rejected with its pointer`(_ text: String, _ pointer: String) throws {
        let json = try JSON(parsing: Array(text.utf8))
        let error = #expect(throws: JSONValueError.self) { try ConsentState(checking: JSONReader(json)) }
        #expect(error?.pointer.description == pointer)
    }
}
