/// The size at which a picture is shown, by which it is decoded.
package struct PictureDisplaySize: Hashable, Sendable {
    /// The width in points.
    package var width: Double
    /// The height in points.
    package var height: Double
    /// The number of pixels of a point.
    package var scale: Double
    /// Whether the picture covers the frame. It fits into it otherwise.
    package var fills: Bool

    package init(width: Double, height: Double, scale: Double = 1, fills: Bool = false) {
        (self.width, self.height, self.scale, self.fills) = (width, height, scale, fills)
    }

    /// The maximum number of pixels of a picture that is decoded. A small file can have any number.
    package static let maxPixels = 100_000_000
    /// The maximum length of a decoded picture's longer side, in pixels.
    package static let maxSide = 4_096
    /// The step of a decoded picture's size, in pixels, so that a frame that grows a little needs no other picture.
    private static let step = 64

    /// The length of the longer side that a picture is decoded to, in pixels. Nil if it is too large to be decoded, or
    /// has no size.
    ///
    /// - Parameters:
    ///   - width: The picture's width in pixels.
    ///   - height: Its height in pixels.
    package func maxPixelSize(forWidth width: Int, height: Int) -> Int? {
        guard width > 0, height > 0, width <= Self.maxPixels / height else { return nil }
        let (x, y) = (self.width * scale / Double(width), self.height * scale / Double(height))
        let factor = min(1, fills ? max(x, y) : min(x, y))
        let side = min(Double(max(width, height)) * max(0, factor), Double(Self.maxSide))
        let steps = Int((side / Double(Self.step)).rounded(.up))
        return min(max(1, steps) * Self.step, max(width, height), Self.maxSide)
    }

    /// Whether a picture that was decoded for this frame is too small for another one.
    package func isTooSmall(for other: PictureDisplaySize) -> Bool {
        func pixels(_ points: Double, _ scale: Double) -> Int {
            // A size may be infinite, or no number.
            let pixels = points * scale
            return pixels > 0 ? Int(min(pixels, Double(Self.maxSide))) / Self.step : 0
        }
        return pixels(other.width, other.scale) > pixels(width, scale)
            || pixels(other.height, other.scale) > pixels(height, scale) || other.fills && !fills
    }
}
