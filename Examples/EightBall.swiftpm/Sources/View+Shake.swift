import SwiftUI

#if canImport(UIKit)
    import UIKit
#endif

extension View {
    /// Performs an action when the device is shaken. On a Mac it never is.
    func onShake(_ action: @escaping @MainActor () -> Void) -> some View {
        #if canImport(UIKit)
            background { ShakeView(action: action) }
        #else
            self
        #endif
    }
}

#if canImport(UIKit)
    private struct ShakeView: UIViewRepresentable {
        let action: @MainActor () -> Void

        func makeUIView(context: Context) -> Shaken { Shaken(frame: .zero) }

        func updateUIView(_ view: Shaken, context: Context) { view.action = action }
    }

    /// A view that receives the device's motion, as the first responder of its window.
    private final class Shaken: UIView {
        var action: (@MainActor () -> Void)?

        override var canBecomeFirstResponder: Bool { true }

        override func didMoveToWindow() {
            super.didMoveToWindow()
            if window != nil { becomeFirstResponder() }
        }

        override func motionEnded(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
            if motion == .motionShake { action?() } else { super.motionEnded(motion, with: event) }
        }
    }
#endif
