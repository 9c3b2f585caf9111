// Declarations of what pictures and large texts need. As in SwiftUI.swift, they follow Apple's public documentation.
public import Foundation
#if canImport(CoreGraphics)
    public import CoreGraphics

    extension Image {
        public enum Orientation: UInt8, Hashable, Sendable {
            case up, upMirrored, down, downMirrored, left, leftMirrored, right, rightMirrored
        }

        public nonisolated init(decorative cgImage: CGImage, scale: CGFloat, orientation: Orientation = .up) {
            self.init("")
        }
    }
#endif

extension EnvironmentValues {
    public var displayScale: CGFloat {
        get { 1 }
        set {}
    }
}

public enum DynamicTypeSize: Hashable, Comparable, CaseIterable, Sendable {
    case xSmall, small, medium, large, xLarge, xxLarge, xxxLarge
    case accessibility1, accessibility2, accessibility3, accessibility4, accessibility5
    public var isAccessibilitySize: Bool { self >= .accessibility1 }
}
