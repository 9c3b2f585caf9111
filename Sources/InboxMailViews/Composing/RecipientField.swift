#if canImport(SwiftUI)
    import InboxCards
    import InboxMail
    import InboxViews
    public import SwiftUI

    /// A field for recipients: chips, the text that is being typed, why it isn't an address, and the people and groups
    /// that it may mean.
    ///
    /// The arrows up and down move through these, Return chooses one, Escape hides them. Where nothing is typed,
    /// Delete removes the last chip, and the arrows to the sides move through the chips.
    public struct RecipientField: View {
        private let field: RecipientFieldModel
        private let title: String
        @Environment(\.inboxTexts) private var texts
        @Environment(\.layoutDirection) private var direction
        @FocusState private var isFocused: Bool
        @ScaledMetric(relativeTo: .body) private var chipWidth = 140.0

        /// Creates a field for recipients.
        ///
        /// - Parameters:
        ///   - field: The recipients, such as those of a ``ComposeModel``.
        ///   - title: The text before the field, which is its accessibility label too.
        public init(_ field: RecipientFieldModel, title: String) { (self.field, self.title) = (field, title) }

        /// The field.
        public var body: some View {
            VStack(alignment: .leading, spacing: 8) {
                HStack(alignment: .top, spacing: 8) {
                    Text(title).foregroundStyle(.secondary).accessibilityHidden(true)
                    VStack(alignment: .leading, spacing: 8) {
                        if !field.chips.isEmpty { chips }
                        input
                    }
                }
                if let problem = field.problem {
                    Text(texts.text(of: problem)).font(.footnote).foregroundStyle(Color.red)
                }
                if !field.completions.isEmpty { completions }
            }
            .padding(.horizontal)
            .padding(.vertical, 10)
            .onChange(of: isFocused) { _, isFocused in
                if !isFocused { field.commit() }
            }
        }

        private var chips: some View {
            LazyVGrid(columns: [GridItem(.adaptive(minimum: chipWidth))], alignment: .leading, spacing: 6) {
                ForEach(field.chips) { chip in
                    ChipView(chip: chip, isSelected: chip.id == field.selected) {
                        field.edit(chip)
                        isFocused = true
                    } remove: {
                        field.remove(chip)
                    }
                }
            }
        }

        private var input: some View {
            TextField("", text: text)
                .accessibilityLabel(title)
                .typesAddresses()
                .focused($isFocused)
                .onSubmit {
                    field.enter()
                    isFocused = true
                }
                .onKeyPress(.upArrow) { handled(field.moveHighlight(by: -1)) }
                .onKeyPress(.downArrow) { handled(field.moveHighlight(by: 1)) }
                .onKeyPress(.leftArrow) { handled(field.moveSelection(by: isRightToLeft ? 1 : -1)) }
                .onKeyPress(.rightArrow) { handled(field.moveSelection(by: isRightToLeft ? -1 : 1)) }
                .onKeyPress(.delete) { handled(field.deleteBackward()) }
                .onKeyPress(.escape) { handled(field.dismissCompletions()) }
        }

        private var text: Binding<String> {
            #if canImport(UIKit)
                // The keyboard on screen sends no key presses: a deletion shows only in the text.
                Binding(get: { field.markedText }, set: { field.markedText = $0 })
            #else
                Binding(get: { field.text }, set: { field.text = $0 })
            #endif
        }

        private var isRightToLeft: Bool { direction == .rightToLeft }

        private func handled(_ isHandled: Bool) -> KeyPress.Result { isHandled ? .handled : .ignored }

        private var completions: some View {
            VStack(alignment: .leading, spacing: 0) {
                ForEach(Array(field.completions.prefix(Self.shownCompletions).enumerated()), id: \.offset) {
                    place,
                    completion in
                    Button {
                        field.choose(completion)
                    } label: {
                        VStack(alignment: .leading, spacing: 2) {
                            Text(completion.name).lineLimit(1)
                            if !completion.detail.isEmpty {
                                Text(completion.detail).font(.footnote).foregroundStyle(.secondary).lineLimit(1)
                            }
                        }
                        .frame(maxWidth: .infinity, alignment: .leading)
                        .padding(.all, 8)
                        .background {
                            RoundedRectangle(cornerRadius: 8)
                                .fill(place == field.highlighted ? Color.accentColor.opacity(0.15) : Color.clear)
                        }
                    }
                    .buttonStyle(.plain)
                    .accessibilityAddTraits(place == field.highlighted ? .isSelected : [])
                }
            }
            .accessibilityElement(children: .contain)
            .accessibilityLabel(texts[.suggestions])
        }

        /// The number of completions that are on screen. More typing finds the others.
        private static let shownCompletions = 6
    }

    /// A recipient that was entered. A tap makes it text again.
    private struct ChipView: View {
        let chip: RecipientFieldModel.Chip
        let isSelected: Bool
        let edit: @MainActor () -> Void
        let remove: @MainActor () -> Void
        @Environment(\.inboxTexts) private var texts

        var body: some View {
            HStack(spacing: 4) {
                if chip.isRefused {
                    Image(systemName: "exclamationmark.triangle").foregroundStyle(Color.red).accessibilityHidden(true)
                }
                Text(chip.label).lineLimit(1)
                Button(action: remove) {
                    Image(systemName: "xmark.circle.fill").foregroundStyle(.secondary)
                }
                .buttonStyle(.plain)
                .accessibilityLabel("\(texts[.remove]): \(chip.label)")
            }
            .font(.subheadline)
            .padding(.horizontal, 10)
            .padding(.vertical, 6)
            .background { Capsule().fill(Color.accentColor.opacity(isSelected ? 0.4 : 0.15)) }
            .contentShape(Rectangle())
            .onTapGesture(perform: edit)
            .accessibilityElement(children: .ignore)
            .accessibilityLabel(label)
            .accessibilityValue(chip.isRefused ? texts[.recipientRefused] : "")
            .accessibilityAddTraits(isSelected ? [.isButton, .isSelected] : .isButton)
            .accessibilityAction(edit)
            .accessibilityActions { Button(texts[.remove], action: remove) }
        }

        private var label: String {
            let email = chip.address.displayEmail
            return chip.label == email ? email : "\(chip.label), \(email)"
        }
    }
#endif
