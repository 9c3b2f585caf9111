#if canImport(UIKit)
    import UIKit

    /// An image view that shows an ``AppInboxPicture``: square, with a gray placeholder until there is a picture.
    @MainActor
    final class ShownPicture {
        /// Loads a picture of the web. The bytes are nil if it can't be loaded.
        typealias Loader = @MainActor (URL) async -> Data?

        /// Nil until the view has a model; a picture of the web isn't shown without one.
        var loader: Loader?
        private let view: UIImageView
        private var shown: AppInboxPicture.Source?
        private var hasShape = false
        private var loading: Task<Void, Never>?

        init(_ view: UIImageView) {
            self.view = view
            view.contentMode = .scaleAspectFill
            view.clipsToBounds = true
            view.backgroundColor = .systemGray5
            view.translatesAutoresizingMaskIntoConstraints = false
        }

        deinit { loading?.cancel() }

        /// Shows a picture, or nothing.
        func show(_ picture: AppInboxPicture?) {
            view.isHidden = !(picture?.isVisible ?? false)
            view.isAccessibilityElement = picture?.alternativeText != nil
            view.accessibilityLabel = picture?.alternativeText
            if let color = picture?.backgroundColor { view.backgroundColor = UIColor(color) }
            let isDark = view.traitCollection.userInterfaceStyle == .dark
            let source = isDark ? picture?.darkSource : picture?.source
            guard source != shown else { return }
            if let picture, !hasShape {
                hasShape = true
                let height = view.heightAnchor.constraint(
                    equalTo: view.widthAnchor,
                    multiplier: CGFloat(1 / picture.aspectRatio)
                )
                height.isActive = true
            }
            shown = source
            loading?.cancel()
            view.image = nil
            switch source {
            case .web(let url): load(url)
            case .bundle(let name): view.image = UIImage(named: name)
            case .symbol(let name): view.image = UIImage(systemName: name)
            case .placeholder, nil: break
            }
        }

        private func load(_ url: URL) {
            guard let loader else { return }
            loading = Task { [weak view] in
                guard let data = await loader(url), let image = UIImage(data: data) else { return }
                // A picture may be much larger than the screen.
                let side = CGFloat(1_024)
                let small =
                    image.size.width > side || image.size.height > side
                    ? await image.byPreparingThumbnail(ofSize: image.size.fitting(side)) : image
                guard !Task.isCancelled else { return }
                view?.image = small
            }
        }
    }

    extension CGSize {
        /// The size, reduced so that neither side is longer than this.
        fileprivate func fitting(_ side: CGFloat) -> CGSize {
            let scale = side / max(width, height)
            return CGSize(width: width * scale, height: height * scale)
        }
    }
#endif
