#if canImport(SwiftUI)
    import Foundation
    import InboxCards
    import InboxMail
    import InboxViews
    import SwiftUI

    /// A thread in a list: who wrote, the subject, the beginning of the latest mail, its time.
    struct ThreadRow: View {
        let row: MailScreenModel.Row
        let names: String
        let time: String
        let open: @MainActor () -> Void
        @Environment(\.inboxTexts) private var texts
        @Environment(\.dynamicTypeSize) private var textSize

        var body: some View {
            HStack(alignment: .top, spacing: 8) {
                Circle().fill(thread.isUnread ? Color.accentColor : Color.clear)
                    .frame(width: 10, height: 10)
                    .padding(.top, 6)
                VStack(alignment: .leading, spacing: 2) {
                    heading
                    Text(subject).font(.subheadline).fontWeight(thread.isUnread ? .semibold : .regular)
                        .lineLimit(lines(1))
                    if !row.snippet.text.isEmpty {
                        Text(row.snippet.highlighted).font(.subheadline).foregroundStyle(.secondary)
                            .lineLimit(lines(2))
                    }
                }
            }
            .frame(maxWidth: .infinity, alignment: .leading)
            .contentShape(Rectangle())
            .onTapGesture { open() }
            .accessibilityElement(children: .ignore)
            .accessibilityLabel(texts.label(of: row, names: names, time: time))
            .accessibilityAddTraits(.isButton)
            .accessibilityAction { open() }
        }

        private var thread: MailThread { row.thread }

        private var subject: AttributedString {
            let text = texts.subject(row.subject.text)
            return text == row.subject.text ? row.subject.highlighted : AttributedString(text)
        }

        /// With the text sizes for accessibility, the time is below the names, and nothing is cut off.
        @ViewBuilder private var heading: some View {
            if textSize.isAccessibilitySize {
                people
                marks
            } else {
                HStack(spacing: 6) {
                    people
                    Spacer(minLength: 4)
                    marks
                }
            }
        }

        private var people: some View {
            HStack(spacing: 4) {
                Text(names).font(.body).fontWeight(thread.isUnread ? .semibold : .regular).lineLimit(lines(1))
                if thread.messageCount > 1 {
                    Text(thread.messageCount.formatted(.number.locale(texts.locale)))
                        .font(.subheadline)
                        .foregroundStyle(.secondary)
                }
            }
        }

        private var marks: some View {
            HStack(spacing: 6) {
                if thread.hasDrafts { Text(texts[.draft]).font(.footnote).foregroundStyle(Color.accentColor) }
                if thread.isStarred { Image(systemName: "star.fill").font(.footnote) }
                if thread.hasAttachments { Image(systemName: "paperclip").font(.footnote) }
                Text(time).font(.footnote).lineLimit(1)
            }
            .foregroundStyle(.secondary)
        }

        private func lines(_ number: Int) -> Int? { textSize.isAccessibilitySize ? nil : number }
    }

    extension HighlightedText {
        /// The text, with a color behind the highlighted ranges.
        var highlighted: AttributedString {
            var result = AttributedString()
            var end = text.startIndex
            for range in ranges where range.lowerBound >= end {
                result += AttributedString(text[end..<range.lowerBound])
                var found = AttributedString(text[range])
                found.backgroundColor = Color.accentColor.opacity(0.25)
                result += found
                end = range.upperBound
            }
            return result + AttributedString(text[end...])
        }
    }
#endif
