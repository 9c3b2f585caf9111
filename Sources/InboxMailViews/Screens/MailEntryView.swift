#if canImport(SwiftUI) && canImport(WebKit)
    import Foundation
    import InboxCards
    import InboxMail
    import InboxViews
    import SwiftUI

    /// A mail of a thread: its header, and its body and files if it is shown in full.
    struct MailEntryView: View {
        let entry: ThreadModel.Entry
        let model: ThreadModel
        let names: MailNames
        let times: RelativeTimeModel
        /// Whether the account can be written in.
        let isWritable: Bool
        @Environment(\.inboxTexts) private var texts
        @Environment(\.mailFooter) private var footer

        var body: some View {
            VStack(alignment: .leading, spacing: 8) {
                Color.secondary.opacity(0.3).frame(height: 1).accessibilityHidden(true)
                header
                if entry.isExpanded {
                    let content = model.body(of: message)
                    MailBodyView(content)
                    ForEach(content.attachments) { file in MailFileRow(model: model.file(file)) }
                    if isWritable { MailReplyButtons(message: message, mail: model.mail) }
                    if let footer { footer.body(message) }
                }
            }
            .padding(.bottom, 8)
            .frame(maxWidth: .infinity, alignment: .leading)
        }

        private var message: MailMessage { entry.message }

        private var header: some View {
            Button {
                model.toggle(message.id)
            } label: {
                VStack(alignment: .leading, spacing: 2) {
                    HStack(spacing: 6) {
                        Text(names.names(of: message.from)).font(.headline).lineLimit(entry.isExpanded ? nil : 1)
                        Spacer(minLength: 4)
                        if message.isDraft {
                            Text(texts[.draft]).font(.footnote).foregroundStyle(Color.accentColor)
                        }
                        if message.isStarred { mark("star.fill", .starred) }
                        if message.hasAttachments { mark("paperclip", .files) }
                        if !entry.isExpanded {
                            Text(times.text(message.receivedAt)).font(.footnote).foregroundStyle(.secondary)
                        }
                    }
                    if entry.isExpanded {
                        if let address { detail(address) }
                        detail(times.exact(message.receivedAt))
                        recipients(.to, message.to)
                        recipients(.cc, message.cc)
                        recipients(.bcc, message.bcc)
                    } else if !message.snippet.isEmpty {
                        Text(message.snippet).font(.subheadline).foregroundStyle(.secondary).lineLimit(1)
                    }
                }
                .foregroundStyle(Color.primary)
                .frame(maxWidth: .infinity, alignment: .leading)
                .contentShape(Rectangle())
            }
            .buttonStyle(.plain)
            .accessibilityValue(texts[entry.isExpanded ? .expanded : .collapsed])
            .padding(.horizontal)
            .padding(.vertical, 8)
        }

        /// The author's address, where it isn't the name: anyone can send with any name. Nil for several authors, whose
        /// names are the line above.
        private var address: String? {
            guard message.from.count == 1, let author = message.from.first else { return nil }
            let email = author.displayEmail
            return names.name(of: author) == email ? nil : email
        }

        @ViewBuilder private func recipients(_ label: CardText, _ addresses: [EmailAddress]) -> some View {
            if !addresses.isEmpty { detail(texts[label] + ": " + names.names(of: addresses)) }
        }

        private func detail(_ text: String) -> some View {
            Text(text).font(.subheadline).foregroundStyle(.secondary)
        }

        private func mark(_ symbol: String, _ label: CardText) -> some View {
            Image(systemName: symbol)
                .font(.footnote)
                .foregroundStyle(.secondary)
                .accessibilityLabel(texts[label])
        }
    }
#endif
