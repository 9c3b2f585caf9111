import Foundation
import InboxMail
import InboxMailViews
import Replica
import Screens
import StandardMailServer
import Testing

@testable import SwiftUI

/// The property wrappers of mail, and its list beside an app's messages.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct MailWrapperTests {
    private struct Probe: View {
        @MailThreads(where: #Predicate { $0.isInInbox && $0.isUnread }) var threads
        @UnreadMailCount var unread
        @LiveThread var thread: MailThread?

        init(_ id: String) { _thread = LiveThread(id) }

        var body: some View {
            VStack {
                ForEach(threads) { Text("row \($0.subject)") }
                Text("unread \(unread)")
                Text("thread \(thread?.subject ?? "none") \(thread?.isStarred ?? false)")
            }
        }
    }

    @Test func `threads, one thread and the unread count follow the mail of the environment`() async throws {
        let device = try await MailDevice()
        device.deliver("Lunch")
        device.deliver("News", keywords: ["$seen"])
        try await device.mail.sync()
        let id = try await device.thread("Lunch")
        let person = Person(Probe(id).shown(withMail: device.mail))
        try await person.waits(for: "row Lunch")
        try await person.waits(for: "unread 1")
        try await person.waits(for: "thread Lunch false")
        #expect(!person.sees("row News"))
        try await device.mail.star(thread: id)
        try await person.waits(for: "thread Lunch true")
        #expect(try await device.mail.counts().unread == 1)
        try await device.mail.markRead(thread: id)
        try await person.waits(forNo: "row Lunch")
        try await person.waits(for: "unread 0")
        let nothing = Person(Probe(id).shown(withMail: nil))
        #expect(nothing.texts == ["unread 0", "thread none false"])
    }

    @Test func `messages and threads are one list, with swipes for both`() async throws {
        let inbox = try await ScreenDevice(message("m1", minutesAgo: 10), isSynced: true)
        let device = try await MailDevice(in: inbox)
        device.deliver("Lunch")
        var opened: [String] = []
        let person = Person(CombinedList { opened.append($0.id) }.shown(withMail: device.mail))
        try await person.waits(for: "Lunch")
        try await person.waits(for: "Title m1")
        for text in ["Lunch", "Title m1"] {
            #expect(try person.swipeButtons(text, .trailing) == ["Archive", "Delete"])
            try person.taps(text)
            try person.swipes(text, .trailing)
            try await person.waits(forNo: text)
            try await person.waits(for: "Undo")
            try person.taps("Undo")
            try await person.waits(for: text)
        }
        #expect(opened.count == 2 && opened.contains("message m1"))
        try person.swipes("Lunch", .leading)
        try await person.waits("it is read") { try await device.mail.counts().unread == 0 }
        #expect(Person(CombinedList { _ in }.shown(withMail: nil)).sees("There is no mail here."))
    }
}
