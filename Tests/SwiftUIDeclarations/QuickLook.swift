// Declarations of the part of QuickLook that this package uses, from Apple's public documentation.
//
// https://developer.apple.com/documentation/swiftui/view/quicklookpreview(_:)
public import Foundation
@testable public import SwiftUI

extension View {
    public nonisolated func quickLookPreview(_ item: Binding<URL?>) -> some View { Modified(self, .preview(item)) }
}
