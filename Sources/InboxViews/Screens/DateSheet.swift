#if canImport(SwiftUI)
    package import Foundation
    package import InboxCards
    package import SwiftUI

    /// The content of a sheet in which a person picks a time in the future.
    package struct DateSheet: View {
        private let title: String
        private let confirmation: String
        private let texts: CardTexts
        @Binding private var date: Date
        @Binding private var isPresented: Bool
        private let confirm: @MainActor () -> Void

        /// - Parameters:
        ///   - confirmation: The name of the button that confirms.
        ///   - isPresented: Whether the sheet is shown, which both buttons end.
        ///   - confirm: Called when the person has confirmed the time.
        package init(
            _ title: String,
            confirmation: String,
            texts: CardTexts,
            date: Binding<Date>,
            isPresented: Binding<Bool>,
            confirm: @escaping @MainActor () -> Void
        ) {
            (self.title, self.confirmation, self.texts) = (title, confirmation, texts)
            (_date, _isPresented) = (date, isPresented)
            self.confirm = confirm
        }

        package var body: some View {
            NavigationStack {
                DatePicker(title, selection: $date, in: Date()...)
                    .datePickerStyle(.graphical)
                    .padding()
                    .toolbar {
                        ToolbarItem(placement: .cancellationAction) {
                            Button(texts[.cancel]) { isPresented = false }
                        }
                        ToolbarItem(placement: .confirmationAction) {
                            Button(confirmation) {
                                isPresented = false
                                confirm()
                            }
                        }
                    }
            }
        }
    }
#endif
