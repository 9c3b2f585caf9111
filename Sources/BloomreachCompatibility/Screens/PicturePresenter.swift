#if canImport(UIKit)
    import InboxViews
    import Observation
    import UIKit

    /// An image view that shows an ``AppInboxPicture``: square, with a gray placeholder until there is a picture.
    @MainActor
    final class PicturePresenter {
        private let view: UIImageView
        private var picture: AppInboxPicture?
        private var shown: AppInboxPicture.Source?
        private var hasShape = false
        private let frame: PictureDisplaySize
        private var model: PictureModel?

        /// - Parameters:
        ///   - view: The image view.
        ///   - width: Its greatest width, in points. A larger picture is reduced to it.
        init(_ view: UIImageView, width: Double) {
            self.view = view
            let scale = Double(view.traitCollection.displayScale)
            frame = PictureDisplaySize(width: width, height: width, scale: max(scale, 2), fills: true)
            view.contentMode = .scaleAspectFill
            view.clipsToBounds = true
            view.backgroundColor = .systemGray5
            view.translatesAutoresizingMaskIntoConstraints = false
            view.registerForTraitChanges([UITraitUserInterfaceStyle.self]) { [weak self] (_: UIImageView, _) in
                self?.updateSource()
            }
        }

        /// Shows a picture, or nothing.
        func show(_ picture: AppInboxPicture?) {
            self.picture = picture
            view.isHidden = !(picture?.isVisible ?? false)
            view.isAccessibilityElement = picture?.alternativeText != nil
            view.accessibilityLabel = picture?.alternativeText
            if let color = picture?.backgroundColor { view.backgroundColor = UIColor(color) }
            if let picture, !hasShape {
                hasShape = true
                let height = view.heightAnchor.constraint(
                    equalTo: view.widthAnchor,
                    multiplier: CGFloat(1 / picture.aspectRatio)
                )
                height.isActive = true
            }
            updateSource()
        }

        /// Shows the picture for the light or the dark mode.
        private func updateSource() {
            let isDark = view.traitCollection.userInterfaceStyle == .dark
            let source = isDark ? picture?.darkSource : picture?.source
            guard source != shown else { return }
            shown = source
            model = nil
            view.image = nil
            switch source {
            case .web(let url): load(url, picture)
            case .bundle(let name): view.image = UIImage(named: name)
            case .symbol(let name): view.image = UIImage(systemName: name)
            case .placeholder, nil: break
            }
        }

        private func load(_ url: URL, _ picture: AppInboxPicture?) {
            model = picture?.makeModel()
            model?.show(url.absoluteString, in: frame)
            follow()
        }

        /// Shows the model's picture, now and after each change.
        private func follow() {
            guard let model else { return }
            let state = withObservationTracking {
                model.state
            } onChange: { [weak self, weak model] in
                // Before the change.
                Task { @MainActor in
                    guard let self, self.model === model else { return }
                    self.follow()
                }
            }
            if case .shown(let picture) = state { view.image = UIImage(picture) } else { view.image = nil }
        }
    }

    extension UIImage {
        fileprivate convenience init?(_ picture: DecodedPicture) {
            #if canImport(ImageIO)
                self.init(cgImage: picture.image)
            #else
                self.init(data: picture.data)
            #endif
        }
    }
#endif
