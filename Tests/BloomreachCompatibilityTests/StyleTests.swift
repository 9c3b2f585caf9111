import BloomreachCompatibility
import Foundation
import Testing

/// Styles in all their notations, their problems, and what they change.
@Suite(.timeLimit(.minutes(5))) struct StyleTests {
    private func read(_ json: String) throws -> (AppInboxStyle, [String]) {
        var problems: [String] = []
        let style = try AppInboxStyle(json: Data(json.utf8)) { problems.append($0.description) }
        return (style, problems)
    }

    @Test(arguments: [
        "#FFD500", "#ffd500ff", "#ffd500FF", "rgb(255, 213, 0)", "rgb(255,213,0)", " RGB( 255 , 213 , 0 ) ",
        "rgba(255, 213, 0, 1)", "argb(1, 255, 213, 0)", "rgb(254.6, 213.4, 0)", "rgba (255, 213, 0, 1.0)",
    ])
    func `every notation of a color is read`(_ notation: String) throws {
        let color = try AppInboxColor(notation)
        #expect(color == AppInboxColor(red: 255, green: 213, blue: 0), "\(color)")
    }

    @Test func `the opacity is last in rgba, first in argb, and in a short hex`() throws {
        #expect(try AppInboxColor("rgba(1, 2, 3, 0.25)") == AppInboxColor(red: 1, green: 2, blue: 3, alpha: 0.25))
        #expect(try AppInboxColor("argb(0.25, 1, 2, 3)") == AppInboxColor(red: 1, green: 2, blue: 3, alpha: 0.25))
        #expect(try AppInboxColor("#123") == AppInboxColor(red: 0x11, green: 0x22, blue: 0x33))
        #expect(try AppInboxColor("#1230") == AppInboxColor(red: 0x11, green: 0x22, blue: 0x33, alpha: 0))
        #expect(try AppInboxColor("#11223300") == AppInboxColor(red: 0x11, green: 0x22, blue: 0x33, alpha: 0))
        #expect(try AppInboxColor("RebeccaPurple") == AppInboxColor(red: 0x66, green: 0x33, blue: 0x99))
        #expect(try AppInboxColor("transparent").alpha == 0)
        #expect(AppInboxColor(red: 0, green: 0, blue: 0, alpha: .nan).alpha == 1)
        #expect(AppInboxColor(red: 0, green: 0, blue: 0, alpha: 7).alpha == 1)
    }

    @Test(arguments: [
        "", " ", "#", "#GGG", "#12", "#12345", "#1234567", "FFD500", "#ffd500 x", "yellowish", "rgb", "rgb(", "rgb)",
        "rgb()", "rgb(1,2)", "rgb(1,2,3,4)", "rgba(1,2,3)", "argb(1,2,3)", "rgb(a,b,c)", "rgb(1,,3)", "rgb(1e2,0,0)",
        "rgb(0x1,0,0)", "rgb(inf,0,0)", "rgb(nan,0,0)", "hsl(1,2,3)", "rgb(1,2,3))", "#ÄÖÜ", "rgb(10%,0,0)",
    ])
    func `text that isn't a color is an invalid color`(_ notation: String) {
        #expect(throws: AppInboxStyleProblem.Reason.invalidColor) { try AppInboxColor(notation) }
    }

    @Test(arguments: [
        "rgb(256, 0, 0)", "rgb(-1, 0, 0)", "rgba(0, 0, 0, 1.1)", "rgba(0, 0, 0, -0.1)", "argb(255, 0, 0, 0)",
        "rgb(0, 0, 99999999999999999999)",
    ])
    func `a component or an opacity that is too large is out of range`(_ notation: String) {
        #expect(throws: AppInboxStyleProblem.Reason.outOfRange) { try AppInboxColor(notation) }
    }

    @Test func `every notation of a weight is read`() throws {
        #expect(try AppInboxFontWeight("normal") == .normal && AppInboxFontWeight(" Bold ") == .bold)
        for weight in stride(from: 100, through: 900, by: 100) {
            #expect(try AppInboxFontWeight("\(weight)").value == weight)
        }
        #expect(try AppInboxFontWeight("100") < .normal && .semibold < .bold)
        for notation in ["", "heavy", "bold700", "7 00"] {
            #expect(throws: AppInboxStyleProblem.Reason.invalidWeight) { try AppInboxFontWeight(notation) }
        }
        for notation in ["0", "50", "450", "1000", "-400", "99999999999999999999"] {
            #expect(throws: AppInboxStyleProblem.Reason.outOfRange) { try AppInboxFontWeight(notation) }
        }
    }

    /// A style that sets every member.
    private static let whole = """
        {"appInboxButton": {"textOverride": "Post", "textColor": "black", "backgroundColor": "#FFD500",
          "showIcon": "false", "textSize": "16px", "enabled": false, "borderRadius": 4, "textWeight": 500},
         "listView": {"emptyTitle": {"visible": false}, "emptyMessage": {"textOverride": "Nothing"},
          "errorTitle": {"textColor": "red"}, "errorMessage": {"textSize": "12.5"},
          "progress": {"visible": true, "progressColor": "blue", "backgroundColor": "white"},
          "list": {"backgroundColor": "rgb(1,2,3)", "item": {"backgroundColor": "argb(0.5,1,2,3)",
           "readFlag": {"visible": true, "backgroundColor": "green"}, "receivedTime": {"textWeight": "bold"},
           "title": {"textSize": 18}, "content": {"textColor": "gray"}, "image": {"visible": false}}}},
         "detailView": {"title": {"textSize": "32sp"}, "content": {"textWeight": "100"},
          "receivedTime": {"visible": false}, "image": {"backgroundColor": "silver"},
          "button": {"borderRadius": "8dp", "enabled": "true"}}}
        """

    @Test(.timeLimit(.minutes(5))) func `a whole tree is read from JSON and applied`() throws {
        let (style, problems) = try read(Self.whole)
        #expect(problems == [] && style.problems == [])
        var button = AppInboxButtonAppearance(textWeight: .bold)
        button.apply(style.appInboxButton)
        #expect(button.text == "Post" && button.textColor == AppInboxColor(red: 0, green: 0, blue: 0))
        #expect(button.backgroundColor == AppInboxColor(red: 255, green: 213, blue: 0) && !button.showsIcon)
        #expect(button.textSize == 16 && !button.isEnabled && button.cornerRadius == 4)
        #expect(button.textWeight.value == 500)

        var list = AppInboxListAppearance()
        list.apply(style.listView)
        #expect(!list.emptyTitle.isVisible && list.emptyMessage.text == "Nothing")
        #expect(list.errorTitle.color == AppInboxColor(red: 255, green: 0, blue: 0) && list.errorMessage.size == 12.5)
        #expect(list.progress.isVisible && list.progress.progressColor == AppInboxColor(red: 0, green: 0, blue: 255))
        #expect(list.progress.backgroundColor == AppInboxColor(red: 255, green: 255, blue: 255))
        #expect(list.backgroundColor == AppInboxColor(red: 1, green: 2, blue: 3))
        #expect(list.item.backgroundColor == AppInboxColor(red: 1, green: 2, blue: 3, alpha: 0.5))
        #expect(list.item.readFlag.backgroundColor == AppInboxColor(red: 0, green: 128, blue: 0))
        #expect(list.item.receivedTime.weight == .bold && list.item.title.size == 18)
        #expect(list.item.content.color == AppInboxColor(red: 128, green: 128, blue: 128))
        #expect(!list.item.image.isVisible)

        var detail = AppInboxDetailAppearance()
        detail.apply(style.detailView)
        #expect(detail.title.size == 32 && detail.content.weight.value == 100 && !detail.receivedTime.isVisible)
        #expect(detail.image.backgroundColor == AppInboxColor(red: 192, green: 192, blue: 192))
        #expect(detail.button.cornerRadius == 8 && detail.button.isEnabled)
    }

    @Test func `what a style doesn't set stays as it is`() throws {
        let (style, problems) = try read(#"{"listView": {"list": {}, "progress": null}, "detailView": {"title": {}}}"#)
        #expect(problems == [])
        var (list, detail, button) = (
            AppInboxListAppearance(), AppInboxDetailAppearance(), AppInboxButtonAppearance()
        )
        list.item.title.color = try AppInboxColor("red")
        let before = (list, detail, button)
        list.apply(style.listView)
        detail.apply(style.detailView)
        button.apply(style.appInboxButton)
        #expect(list == before.0 && detail == before.1 && button == before.2)
    }

    @Test func `a bad value is reported with its place, and the rest is applied`() throws {
        let (style, problems) = try read(
            """
            {"appInboxButton": {"textColor": "#GGG", "textSize": "1e9", "borderRadius": 99999999999,
              "textWeight": {}, "enabled": 1, "showIcon": "yes", "textOverride": 7, "glow": true},
             "listView": [], "toolbar": {"title": {}},
             "detailView": {"title": {"textSize": 0, "textColor": "rgb(0,0,256)", "visible": "false"}, "image": "big",
              "content": {"textWeight": "heavy", "textSize": -12}, "receivedTime": {"textColor": 16711680}}}
            """
        )
        #expect(
            problems == [
                "appInboxButton.textColor: invalidColor", "appInboxButton.textSize: invalidNumber",
                "appInboxButton.borderRadius: outOfRange", "appInboxButton.textWeight: wrongType",
                "appInboxButton.enabled: wrongType", "appInboxButton.showIcon: wrongType",
                "appInboxButton.textOverride: wrongType", "appInboxButton.glow: unknownMember",
                "listView: wrongType", "toolbar: unknownMember", "detailView.title.textSize: outOfRange",
                "detailView.title.textColor: outOfRange", "detailView.image: wrongType",
                "detailView.content.textWeight: invalidWeight", "detailView.content.textSize: outOfRange",
                "detailView.receivedTime.textColor: wrongType",
            ]
        )
        #expect(style.detailView?.title == TextViewStyle(visible: false))
        #expect(style.appInboxButton == ButtonStyle() && style.listView == nil)
        #expect(style.problems == [])
    }

    @Test(arguments: ["", "[]", "7", "null", "{", #"{"a": 1, "a": 2}"#, "\u{FEFF}{}", String(repeating: "[", count: 9)])
    func `JSON that isn't an object is one error`(_ text: String) {
        #expect(throws: AppInboxStyleProblem(.notAnObject, at: [])) { try AppInboxStyle(json: Data(text.utf8)) }
        #expect(throws: AppInboxStyleProblem(.notAnObject, at: [])) { try AppInboxStyle(json: Data([0xFF, 0xFE])) }
    }

    @Test func `a bad value in code has no effect, and is named`() {
        let style = AppInboxStyle(
            appInboxButton: ButtonStyle(textColor: "#GGG", backgroundColor: "teal", textSize: "huge"),
            listView: ListScreenStyle(list: AppInboxListViewStyle(backgroundColor: "rgb(1)"))
        )
        #expect(
            style.problems.map(\.description) == [
                "appInboxButton.textColor: invalidColor", "appInboxButton.textSize: invalidNumber",
                "listView.list.backgroundColor: invalidColor",
            ]
        )
        var button = AppInboxButtonAppearance(textSize: 15)
        button.apply(style.appInboxButton)
        #expect(button.textColor == nil && button.textSize == 15)
        #expect(button.backgroundColor == AppInboxColor(red: 0, green: 128, blue: 128))
        var list = AppInboxListAppearance()
        list.apply(style.listView)
        #expect(list == AppInboxListAppearance())
    }
}
