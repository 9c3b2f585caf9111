#if canImport(SwiftUI)
    import InboxCards
    import InboxMail
    import InboxViews
    import SwiftUI

    /// The fields of a mail, below the notices.
    struct ComposeForm: View {
        let model: ComposeModel
        /// Called after an action that may have ended the mail.
        let end: @MainActor () -> Void
        @Environment(\.inboxTexts) private var texts
        @State private var showsQuotation = false

        var body: some View {
            ScrollView {
                VStack(alignment: .leading, spacing: 0) {
                    ComposeBars(model: model, end: end)
                    Group {
                        if model.identities.count > 1 { sender }
                        RecipientField(model.to, title: texts[.toField])
                        line
                        copies
                        subject
                        line
                        if !model.attachments.isEmpty || model.attachingCount > 0 { files }
                        text
                        quotation
                    }
                    .disabled(model.phase != .writing)
                }
                .frame(maxWidth: 720, alignment: .leading)
                .frame(maxWidth: .infinity)
            }
        }

        private var line: some View {
            Rectangle().fill(Color.gray.opacity(0.3)).frame(height: 1).accessibilityHidden(true)
        }

        private var sender: some View {
            VStack(alignment: .leading, spacing: 0) {
                HStack {
                    Text(texts[.fromField]).foregroundStyle(.secondary).accessibilityHidden(true)
                    Picker(
                        texts[.fromField],
                        selection: Binding(
                            get: { model.identityID ?? model.identities.first?.id ?? "" },
                            set: { model.identityID = $0 }
                        )
                    ) {
                        ForEach(model.identities) { identity in
                            Text(texts.name(of: identity)).tag(identity.id)
                        }
                    }
                    .pickerStyle(.menu)
                }
                .padding(.horizontal)
                .padding(.vertical, 6)
                line
            }
        }

        @ViewBuilder private var copies: some View {
            if model.showsCopies {
                RecipientField(model.cc, title: texts[.ccField])
                line
                RecipientField(model.bcc, title: texts[.bccField])
            } else {
                Button(texts[.addCopies]) { model.showsCopies = true }
                    .font(.subheadline)
                    .padding(.horizontal)
                    .padding(.vertical, 10)
            }
            line
        }

        private var subject: some View {
            TextField(texts[.subject], text: Binding(get: { model.subject }, set: { model.subject = $0 }))
                .padding(.horizontal)
                .padding(.vertical, 10)
        }

        private var files: some View {
            VStack(alignment: .leading, spacing: 8) {
                Text(texts[.attachments]).font(.headline).accessibilityAddTraits(.isHeader)
                ForEach(model.attachments) { file in
                    AttachmentRow(file: file) { Task { await model.remove(file) } }
                }
                if model.attachingCount > 0 { ProgressView().accessibilityLabel(texts[.loading]) }
            }
            .padding()
        }

        private var text: some View {
            TextEditor(text: Binding(get: { model.text }, set: { model.text = $0 }))
                .frame(minHeight: 240)
                .padding(.horizontal, 12)
                .padding(.vertical, 8)
                .accessibilityLabel(texts[.message])
        }

        @ViewBuilder private var quotation: some View {
            if let quoted = model.quotedText {
                VStack(alignment: .leading, spacing: 8) {
                    Button(texts[showsQuotation ? .hideQuotedText : .showQuotedText]) { showsQuotation.toggle() }
                        .font(.subheadline)
                    if showsQuotation {
                        Text(quoted).font(.subheadline).foregroundStyle(.secondary).textSelection(.enabled)
                    }
                }
                .padding()
            }
        }
    }

    /// A file of a mail, the progress of its upload, and the button that removes it.
    private struct AttachmentRow: View {
        let file: ComposeAttachment
        let remove: @MainActor () -> Void
        @Environment(\.inboxTexts) private var texts

        var body: some View {
            HStack(spacing: 12) {
                Image(systemName: "doc").foregroundStyle(.secondary).accessibilityHidden(true)
                VStack(alignment: .leading, spacing: 2) {
                    Text(file.name).lineLimit(2)
                    Text("\(texts.size(file.size)) · \(texts.text(of: file.state))")
                        .font(.footnote)
                        .foregroundStyle(.secondary)
                    if case .uploading(let fraction) = file.state {
                        ProgressView(value: fraction).accessibilityHidden(true)
                    }
                }
                .accessibilityElement(children: .combine)
                Spacer()
                Button(action: remove) {
                    Image(systemName: "xmark.circle.fill").foregroundStyle(.secondary)
                }
                .accessibilityLabel("\(texts[.remove]): \(file.name)")
            }
        }
    }

    extension CardTexts {
        /// Returns the name and address that a person sends with.
        fileprivate func name(of identity: MailIdentity) -> String {
            EmailAddress(name: identity.name, email: identity.email).typedText
        }
    }
#endif
