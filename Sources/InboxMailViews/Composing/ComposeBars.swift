#if canImport(SwiftUI)
    import InboxCards
    import InboxMail
    import InboxViews
    import SwiftUI

    /// The notes on a mail that is written, with the person's decisions: failures, notices, problems, and questions.
    struct ComposeBars: View {
        let model: ComposeModel
        /// Called after an action that may have ended the mail.
        let end: @MainActor () -> Void
        @Environment(\.inboxTexts) private var texts

        var body: some View {
            if model.phase == .signedOut { ComposeBar(text: texts[.signedOutDraft], symbol: Self.warning) {} }
            if let failure = model.failure {
                ComposeBar(text: texts.text(of: failure), symbol: Self.warning) {
                    Button(texts[.close]) { model.dismissFailure() }
                }
            } else if let error = model.savingError {
                ComposeBar(text: texts.text(of: ComposeFailure.saving(error)), symbol: Self.warning) {
                    Button(texts[.tryAgain]) { Task { await model.keep() } }
                }
            }
            if model.isAskingToDiscard {
                ComposeBar(text: texts[.discardQuestion], symbol: "trash") {
                    Button(texts[.discardDraft]) {
                        Task {
                            await model.discard()
                            end()
                        }
                    }
                    Button(texts[.keepWriting]) { model.keepWriting() }
                }
            }
            if let review = model.review { problems(review) }
            ForEach(model.notices, id: \.self) { notice in bar(notice) }
        }

        private static let warning = "exclamationmark.triangle"

        private func problems(_ review: ComposeReview) -> some View {
            VStack(alignment: .leading, spacing: 8) {
                Text(texts[.beforeSending]).font(.headline).accessibilityAddTraits(.isHeader)
                ForEach(review.problems, id: \.self) { problem in Text(texts.text(of: problem)) }
                if review.canSendAnyway {
                    Button(texts[.sendAnyway]) {
                        Task {
                            await model.sendAnyway()
                            end()
                        }
                    }
                    .buttonStyle(.borderedProminent)
                }
                Button(texts[.keepWriting]) { model.keepWriting() }.buttonStyle(.bordered)
            }
            .bar()
        }

        @ViewBuilder private func bar(_ notice: ComposeNotice) -> some View {
            switch notice {
            case .otherVersions(let versions):
                VStack(alignment: .leading, spacing: 8) {
                    Text(texts.text(of: notice))
                    ForEach(versions) { version in
                        Text(version.snippet.isEmpty ? version.subject : version.snippet)
                            .lineLimit(2)
                            .foregroundStyle(.secondary)
                        if version.isUnremovable { Text(texts[.notDiscarded]) }
                        Button(texts[.useOtherVersion]) { Task { await model.use(version) } }.buttonStyle(.bordered)
                        Button(texts[.discardOtherVersion]) { Task { await model.discard(version) } }
                            .buttonStyle(.bordered)
                    }
                }
                .bar()
            case .refused, .unsaved, .unknown: ComposeBar(text: texts.text(of: notice), symbol: Self.warning) {}
            case .offline, .signInNeeded:
                ComposeBar(text: texts.text(of: notice), symbol: "wifi.slash") {}
            case .updatedElsewhere, .discardedElsewhere, .losesFormatting:
                ComposeBar(text: texts.text(of: notice), symbol: nil) {}
            }
        }
    }

    /// A text above a mail, with a symbol and buttons.
    struct ComposeBar<Actions: View>: View {
        let text: String
        let symbol: String?
        @ViewBuilder let actions: () -> Actions

        var body: some View {
            HStack(alignment: .top, spacing: 12) {
                if let symbol { Image(systemName: symbol).accessibilityHidden(true) }
                VStack(alignment: .leading, spacing: 8) {
                    Text(text)
                    actions().buttonStyle(.bordered)
                }
            }
            .bar()
        }
    }

    extension View {
        /// A part above a mail that stands out from it.
        fileprivate func bar() -> some View {
            font(.subheadline)
                .frame(maxWidth: .infinity, alignment: .leading)
                .padding()
                .background { RoundedRectangle(cornerRadius: 12).fill(.regularMaterial) }
                .padding(.horizontal)
                .padding(.vertical, 4)
        }
    }
#endif
