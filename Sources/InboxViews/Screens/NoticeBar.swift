#if canImport(SwiftUI)
    package import SwiftUI

    /// A bar at the bottom of a list, with the last change and the button that undoes it.
    package struct NoticeBar<Action: View>: View {
        private let text: String
        private let action: Action

        package init(_ text: String, @ViewBuilder action: () -> Action) {
            (self.text, self.action) = (text, action())
        }

        package var body: some View {
            HStack {
                Text(text)
                Spacer()
                action
            }
            .padding()
            .background { RoundedRectangle(cornerRadius: 12).fill(.regularMaterial) }
            .padding(.horizontal)
            .frame(maxWidth: 640)
        }
    }
#endif
