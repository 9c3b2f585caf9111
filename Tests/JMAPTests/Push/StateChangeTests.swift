import Groundwork
import JMAP
import Testing

/// Changed states (RFC 8620 §7.1).
@Suite(.timeLimit(.minutes(5))) struct StateChangeTests {
    /// The example of RFC 8620 §7.1.1.
    private let text = #"""
        {"@type":"StateChange","changed":{"a3123":{"Email":"d35ecb040aab","EmailDelivery":"428d565f2440"},
         "a43461d":{"Mailbox":"0af7a512ce70","CalendarEvent":"7a4297cecd76"}}}
        """#

    @Test func `a state change is read`() throws {
        let json = try JSON(parsing: text.utf8)
        let change = try #require(StateChange(json: json))
        #expect(change.changed["a3123"] == ["Email": "d35ecb040aab", "EmailDelivery": "428d565f2440"])
        #expect(change.changed["a43461d"]?["Mailbox"] == "0af7a512ce70")
    }

    @Test(arguments: ["a3123", #"a "quoted" account\"#])
    func `the announcement of one account is read as it was written`(account: String) throws {
        let text = StateChange.text(of: account, [("Email", "d35ecb040aab"), ("EmailDelivery", "\n428d565f2440")])
        let change = try #require(StateChange(json: try JSON(parsing: text.utf8)))
        #expect(change.changed == [account: ["Email": "d35ecb040aab", "EmailDelivery": "\n428d565f2440"]])
    }

    @Test func `an announcement has the text of the example`() {
        let text = StateChange.text(of: "a43461d", [("Mailbox", "0af7a512ce70"), ("CalendarEvent", "7a4297cecd76")])
        #expect(
            text == #"{"@type":"StateChange","changed":{"a43461d":{"Mailbox":"0af7a512ce70","CalendarEvent":"7a4297cecd76"}}}"#
        )
    }

    @Test(
        arguments: [[], [:], ["@type": "Other", "changed": [:]], ["@type": "StateChange"], ["changed": [:]]] as [JSON]
    )
    func `other JSON isn't a state change`(json: JSON) {
        #expect(StateChange(json: json) == nil)
    }

    @Test func `a state that isn't text is left out`() {
        let json: JSON = ["@type": "StateChange", "changed": ["a": ["Email": 1, "Thread": "t"], "b": .null]]
        #expect(StateChange(json: json)?.changed == ["a": ["Thread": "t"], "b": [:]])
    }
}
