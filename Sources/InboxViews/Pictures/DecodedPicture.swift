package import Foundation
import Groundwork
#if canImport(ImageIO)
    package import CoreGraphics
    import ImageIO
#endif

/// A picture to draw, not much larger than it is shown. An animated one is represented by its first image.
///
/// Without ImageIO it has the picture's bytes.
package struct DecodedPicture: @unchecked Sendable {
    #if canImport(ImageIO)
        // Unchecked, because an image of Core Graphics isn't declared as `Sendable`. It never changes.
        package let image: CGImage
        /// The width divided by the height; nil if it isn't known.
        package var aspectRatio: Double? {
            image.height > 0 ? Double(image.width) / Double(image.height) : nil
        }

        /// Decodes a picture for a frame. Returns nil if it isn't one, or has too many pixels.
        package init?(_ data: Data, for frame: PictureDisplaySize) {
            guard PictureType(of: data) != nil,
                let source = CGImageSourceCreateWithData(NSData(data: data) as CFData, nil),
                let properties = CGImageSourceCopyPropertiesAtIndex(source, 0, nil) as? [CFString: Any],
                let width = properties[kCGImagePropertyPixelWidth] as? Int,
                let height = properties[kCGImagePropertyPixelHeight] as? Int,
                let side = frame.maxPixelSize(forWidth: width, height: height)
            else { return nil }
            let options: [AnyHashable: Any] = [
                kCGImageSourceCreateThumbnailFromImageAlways: true,
                // Turned as a camera was.
                kCGImageSourceCreateThumbnailWithTransform: true,
                kCGImageSourceShouldCacheImmediately: true,
                kCGImageSourceThumbnailMaxPixelSize: side,
            ]
            let dictionary = NSDictionary(dictionary: options) as CFDictionary
            guard let image = CGImageSourceCreateThumbnailAtIndex(source, 0, dictionary) else { return nil }
            self.image = image
        }
    #else
        package let data: Data
        /// The width divided by the height; nil, because it isn't known.
        package var aspectRatio: Double? { nil }

        package init?(_ data: Data, for frame: PictureDisplaySize) {
            guard PictureType(of: data) != nil else { return nil }
            self.data = data
        }
    #endif

    /// Decodes a picture off the caller's thread.
    @concurrent
    static func decode(_ data: Data, for frame: PictureDisplaySize) async -> DecodedPicture? {
        DecodedPicture(data, for: frame)
    }
}
