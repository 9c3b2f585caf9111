import Foundation
import InboxCards
import InboxModel
import InboxViews
import Screens
import Testing

@testable import SwiftUI

/// The gallery of screens: what is drawn of the trees.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct GalleryTests {
    private func html(_ view: some View, _ look: GalleryLook = GalleryLook()) -> String {
        Person(view, look).scene.box.html
    }

    // MARK: - Screens

    @Test func `a list has a row for each message in order, with the indicator if it is unread`()
        async throws
    {
        let messages = GalleryMessages.list()
        for vendor in [NativeGallery(), AdobeGallery(), BloomreachGallery()] as [any GalleryVendor] {
            let html = try await vendor.scene(.list, GalleryLook()).box.html
            let places = try messages.map {
                try #require(html.range(of: ">\(Box.escaped($0.title))<")?.lowerBound)
            }
            #expect(places == places.sorted() && places.count == 4, "\(vendor.name)")
        }
        let native = try await NativeGallery().scene(.list, GalleryLook()).box.html
        #expect(native.matches(of: /<li class="listed"/).count == 4)
        #expect(native.matches(of: /role="img" aria-label="Unread"/).count == 2)
        #expect(native.contains("Swipe left: Archive, Delete."))
    }

    @Test func `no view of a screen is unknown, in any state, light or dark, narrow or wide`() async throws {
        for vendor in [NativeGallery(), MailGallery(), AdobeGallery(), BloomreachGallery()] as [any GalleryVendor] {
            for entry in try await Gallery.entries(of: vendor) {
                #expect(entry.scene.unknown.isEmpty, "\(entry.file): \(entry.scene.unknown)")
                #expect(!entry.scene.box.html.contains("unknown"), "\(entry.file)")
            }
        }
    }

    @Test func `no view of a screen that writes mail is unknown, light or dark, narrow or wide`() async throws {
        for entry in try await WritingGallery.entries() {
            #expect(entry.screen.unknown.isEmpty, "\(entry.file): \(entry.screen.unknown)")
            #expect(!entry.screen.box.html.contains("unknown"), "\(entry.file)")
        }
    }

    @Test func `a dark screen has the dark colors, a light one the light ones`() async throws {
        // The card and the page.
        let colors = [["255,255,255", "242,242,247"], ["28,28,30", "11,11,13"]]
        for isDark in [false, true] {
            let html = try await NativeGallery().scene(.list, GalleryLook(isDark: isDark)).box.html
            #expect(colors[isDark ? 1 : 0].allSatisfy { html.contains("background:rgba(\($0),1.0)") })
            #expect(!colors[isDark ? 0 : 1].contains { html.contains("background:rgba(\($0),1.0)") })
        }
        let texts = try await [false, true].asyncMap {
            try await BloomreachGallery().scene(.list, GalleryLook(isDark: $0)).box.html
        }
        #expect(texts[0].contains("color:rgba(0,0,0,1.0)") && texts[1].contains("color:rgba(255,255,255,1.0)"))
    }

    @Test func `the title of a placeholder isn't as faint as its text`() async throws {
        let html = try await NativeGallery().scene(.empty, GalleryLook()).box.html
        #expect(html.contains(/color:rgba\(0,0,0,1\.0\)[^>]*>No Messages</))
        #expect(html.contains(/color:rgba\(60,60,67,0\.6\)[^>]*>New messages appear here\.</))
    }

    @Test func `a wide screen has the list and the message, and its row is marked`() async throws {
        let narrow = try await NativeGallery().scene(.detail, GalleryLook()).box.html
        #expect(narrow.contains("See More") && !narrow.contains("Welcome to the inbox"))
        let wide = try await NativeGallery().scene(.detail, GalleryLook(isWide: true)).box.html
        #expect(wide.contains("See More") && wide.contains("Welcome to the inbox"))
        let marked = Color.accentColor.opacity(0.15).css(isDark: false)
        #expect(wide.matches(of: /<li [^>]*>/).count { $0.output.contains(marked) } == 1)
    }

    @Test func `a wide screen of mail has the mailboxes, the threads and the thread`() async throws {
        let wide = try await MailGallery().scene(.detail, GalleryLook(isWide: true)).box.html
        for text in ["Drafts", "Rowing on Sunday?", "Spring news", "menu.pdf", "Show quoted text"] {
            #expect(wide.contains(text), "\(text)")
        }
        let narrow = try await MailGallery().scene(.list, GalleryLook()).box.html
        #expect(narrow.matches(of: /<li class="listed separated"/).count == 5 && !narrow.contains("Drafts"))
    }

    @Test func `a screen that a vendor doesn't have is replaced by a sentence`() async throws {
        for state in [GalleryState.detail, .button] {
            let scene = try await AdobeGallery().scene(state, GalleryLook())
            #expect(!scene.hasScreen && scene.box.html.contains("None in Adobe’s document"))
        }
        for state in GalleryState.allCases {
            #expect(try await !InboxKitGallery().scene(state, GalleryLook()).hasScreen)
        }
    }

    @Test func `the page of all screens has a row for each state and a column for each vendor`() async throws {
        let scene = GalleryScene(box: Box("p", text: "screen"))
        let entries = ["One", "Two"].flatMap { vendor in
            GalleryState.allCases.flatMap { state in
                [false, true].map {
                    GalleryPage.Entry(vendor: vendor, state: state, look: GalleryLook(isDark: $0), scene: scene)
                }
            }
        }
        let page = GalleryPage.index(entries, isDark: true)
        #expect(page.matches(of: /<th scope="col">/).count == 2 && page.matches(of: /<th scope="row">/).count == 7)
        #expect(page.matches(of: /<p>screen<\/p>/).count == 14 && page.contains("class=\"dark\""))
    }

    // MARK: - Views

    @Test func `a text and a label are escaped`() throws {
        let hostile = "<script>alert(\"1\")</script> & more"
        let html = html(
            VStack {
                Text(hostile)
                Button(hostile, systemImage: "tray") {}
                Button {
                } label: {
                    Image(systemName: "tray").accessibilityLabel("\" onload=\"alert(1)")
                }
            }
        )
        #expect(!html.contains("<script") && !html.contains("\" onload=\"alert"))
        #expect(html.contains("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; more"))
        let page = GalleryPage.screen(
            GalleryPage.Entry(vendor: "<b>", state: .list, look: GalleryLook(), scene: GalleryScene(box: Box()))
        )
        #expect(!page.contains("<b>"))
    }

    @Test func `a view that can't be drawn is a labelled box and is reported`() {
        let person = Person(
            VStack {
                DatePicker("When", selection: .constant(Date()), in: Date()...)
                Image(systemName: "a.new.symbol")
            },
            GalleryLook()
        )
        let scene = person.scene
        #expect(scene.unknown == ["date picker: When", "symbol: a.new.symbol"])
        #expect(scene.box.html.matches(of: /class="unknown"/).count == 2)
        let bare = Person(Text("Words").navigationTitle("Title"), GalleryLook()).scene
        #expect(bare.unknown.count == 1)
    }

    @Test func `a stack has its direction, spacing and alignment`() {
        let row = html(
            HStack(alignment: .top, spacing: 5) {
                Text("one"); Text("two")
            }
        )
        #expect(row.contains(#"<div class="row" style="gap:5px;align-items:flex-start"#))
        let column = html(
            VStack(alignment: .trailing, spacing: 7) {
                Text("one"); Text("two")
            }
        )
        #expect(column.contains(#"<div class="column" style="gap:7px;align-items:flex-end"#))
    }

    @Test func `a text has its font, weight, color and number of lines`() {
        let html = html(Text("words").font(.title2).fontWeight(.bold).foregroundStyle(Color.red).lineLimit(2))
        #expect(html.contains("font-size:22px;font-weight:700;color:\(Color.red.css(isDark: false))"))
        #expect(html.contains("-webkit-line-clamp:2"))
    }

    @Test func `a frame, a padding and what is over a view are around it`() {
        let html = html(
            Text("words").padding(.horizontal, 4).frame(width: 50, height: 20).overlay(alignment: .topTrailing) {
                Text("over")
            }
            .background { Color.red }
        )
        #expect(html.contains("padding:0px 4px 0px 4px"))
        #expect(html.contains("width:50px") && html.contains("height:20px"))
        #expect(html.matches(of: /class="layer"/).count == 1 && html.matches(of: /class="layer behind"/).count == 1)
        #expect(html.contains("justify-self:end;align-self:start"))
    }

    @Test func `a bar has the title, the search field and the items, some disabled`() {
        let html = html(
            NavigationStack {
                Text("content")
                    .navigationTitle("Orders")
                    .searchable(text: .constant(""), prompt: "Find")
                    .toolbar {
                        ToolbarItem(placement: .primaryAction) {
                            Button("Delete", systemImage: "trash") {}.disabled(true)
                        }
                    }
            }
        )
        #expect(html.contains(">Orders<") && html.contains(">Find<"))
        #expect(html.contains(#"aria-label="Delete" disabled="""#) && !html.contains(">Delete<"))
    }
}

extension Sequence {
    fileprivate func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
