// Declarations of SwiftUI's fields for text and of the choice of files, from Apple's public documentation.
public import Foundation
public import UniformTypeIdentifiers

#if canImport(UIKit)
    public import UIKit
#endif

// MARK: - Fields

public struct TextField<Label: View>: View, Drawable {
    let drawing: Drawing
    public var body: Never { fatalError() }
}

extension TextField where Label == Text {
    public nonisolated init<S: StringProtocol>(_ title: S, text: Binding<String>) {
        drawing = Drawing(.field(title: String(title), text, isEditor: false))
    }
}

public struct TextEditor: View, Drawable {
    let drawing: Drawing
    public nonisolated init(text: Binding<String>) { drawing = Drawing(.field(title: "", text, isEditor: true)) }
    public var body: Never { fatalError() }
}

extension View {
    public nonisolated func onSubmit(_ action: @escaping () -> Void) -> some View { Modified(self, .submit(action)) }
    public nonisolated func autocorrectionDisabled(_ disable: Bool = true) -> some View {
        Modified(self, look: .behavior("autocorrectionDisabled"))
    }
    public nonisolated func focused(_ condition: FocusState<Bool>.Binding) -> some View {
        Modified(self, .focus(isFocused: { condition.wrappedValue }, focus: { condition.wrappedValue = true }))
    }
}

#if canImport(UIKit)
    public struct TextInputAutocapitalization: Sendable {
        public static var never: TextInputAutocapitalization { TextInputAutocapitalization() }
    }

    extension View {
        public nonisolated func textInputAutocapitalization(_ autocapitalization: TextInputAutocapitalization?)
            -> some View
        { Modified(self, look: .behavior("textInputAutocapitalization")) }
        public nonisolated func keyboardType(_ type: UIKeyboardType) -> some View {
            Modified(self, look: .behavior("keyboardType"))
        }
        public nonisolated func textContentType(_ textContentType: UITextContentType?) -> some View {
            Modified(self, look: .behavior("textContentType"))
        }
    }
#endif

// MARK: - Grids

public struct GridItem: Sendable {
    public enum Size: Sendable {
        case adaptive(minimum: CGFloat, maximum: CGFloat = .infinity)
    }
    let size: Size
    public init(_ size: Size, spacing: CGFloat? = nil, alignment: Alignment? = nil) { self.size = size }
}

public struct LazyVGrid<Content: View>: View, Drawable {
    let drawing: Drawing
    public nonisolated init(
        columns: [GridItem],
        alignment: HorizontalAlignment = .center,
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) {
        let minimum = columns.first.map { item in
            switch item.size {
            case .adaptive(let minimum, _): minimum
            }
        }
        drawing = Drawing(.grid(minimum: minimum ?? 0), content())
    }
    public var body: Never { fatalError() }
}

// MARK: - Files

extension View {
    public nonisolated func fileImporter(
        isPresented: Binding<Bool>,
        allowedContentTypes: [UTType],
        allowsMultipleSelection: Bool,
        onCompletion: @escaping (Result<[URL], any Error>) -> Void
    ) -> some View { Modified(self, .importer(isPresented, onCompletion)) }
}
