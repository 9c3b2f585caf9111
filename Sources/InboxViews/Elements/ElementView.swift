#if canImport(SwiftUI)
    package import InboxCards
    package import SwiftUI

    /// An element of a card's tree, with its children.
    package struct ElementView: View {
        let element: CardElement
        /// Performs a button's action.
        let perform: @MainActor (ButtonElement) -> Void
        @Environment(\.dynamicTypeSize) private var textSize

        package init(element: CardElement, perform: @escaping @MainActor (ButtonElement) -> Void) {
            (self.element, self.perform) = (element, perform)
        }

        package var body: some View {
            switch element {
            case .text(let text): TextView(text: text)
            case .time(let time): TextView(text: time.text)
            case .image(let image): ImageView(image: image)
            case .button(let button): buttonView(button)
            case .stack(let stack): AnyView(stackView(stack))
            }
        }

        private func buttonView(_ button: ButtonElement) -> some View {
            Button {
                perform(button)
            } label: {
                TextView(text: button.text)
                    .padding(EdgeInsets(button.padding))
                    .background { Color(button.backgroundColor ?? CardColor.clear) }
                    .clipShape(RoundedRectangle(cornerRadius: button.cornerRadius))
                    .contentShape(Rectangle())
            }
            .buttonStyle(.plain)
        }

        @ViewBuilder private func stackView(_ stack: StackElement) -> some View {
            switch stack.axis(isLarge: textSize.isAccessibilitySize) {
            case .horizontal:
                HStack(alignment: VerticalAlignment(stack.style.alignment), spacing: stack.style.spacing) {
                    children(stack)
                }
            case .vertical:
                VStack(
                    alignment: stack.axis == .vertical ? HorizontalAlignment(stack.style.alignment) : .leading,
                    spacing: stack.style.spacing
                ) {
                    children(stack)
                }
                .frame(maxWidth: stack.fillsWidth ? .infinity : nil, alignment: .leading)
            }
        }

        private func children(_ stack: StackElement) -> some View {
            ForEach(Array(stack.children.enumerated()), id: \.offset) { child in
                ElementView(element: child.element, perform: perform)
            }
        }
    }

    /// A text of a card.
    package struct TextView: View {
        let text: TextElement
        /// Whether a font that a view around the text sets replaces the text's own.
        let adoptsFont: Bool
        /// The size, which scales with the text size.
        @ScaledMetric private var size: CGFloat
        @Environment(\.font) private var font

        package init(text: TextElement, adoptsFont: Bool = false) {
            (self.text, self.adoptsFont) = (text, adoptsFont)
            _size = ScaledMetric(wrappedValue: CGFloat(text.font.size), relativeTo: Font.TextStyle(text.role))
        }

        package var body: some View {
            Text(text.content)
                .font((adoptsFont ? font : nil) ?? Font(text.font, size: size))
                .foregroundStyle(Color(text.color))
                .multilineTextAlignment(TextAlignment(text.alignment))
                .lineLimit(text.lineLimit)
                .accessibilityAddTraits(isHeading ? .isHeader : [])
        }

        private var isHeading: Bool {
            if case .heading = text.role { true } else { false }
        }
    }

    extension Font.TextStyle {
        /// The system's style by which a text of a role grows.
        fileprivate init(_ role: TextElement.Role) {
            self =
                switch role {
                case .heading: .headline
                case .caption: .caption
                case .text: .body
                }
        }
    }

    /// The unread indicator.
    package struct UnreadView: View {
        let icon: UnreadElement
        /// The size, which scales with the text size.
        @ScaledMetric private var size: CGFloat

        package init(icon: UnreadElement) {
            self.icon = icon
            _size = ScaledMetric(wrappedValue: CGFloat(icon.size), relativeTo: .body)
        }

        package var body: some View {
            Group {
                if let image = icon.image {
                    ImageView(image: image.filling(size))
                } else {
                    Circle().fill(Color(icon.color))
                }
            }
            .frame(width: size, height: size)
            .accessibilityElement(children: .ignore)
            .accessibilityLabel(icon.label)
        }
    }

    extension ImageElement {
        /// Returns the image with the width of its frame.
        fileprivate func filling(_ width: CGFloat) -> ImageElement {
            var image = self
            image.width = Double(width)
            return image
        }
    }
#endif
