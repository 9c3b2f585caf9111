#if canImport(UIKit)
    import UIKit

    /// A label that shows an ``AppInboxLabel``. The font and the color are set only when they change, so that those
    /// that an app sets itself stay.
    @MainActor
    final class LabelPresenter {
        private let view: UILabel
        private var shown: AppInboxLabel?

        init(_ view: UILabel) {
            self.view = view
            view.adjustsFontForContentSizeCategory = true
            view.textAlignment = .natural
        }

        /// Shows a label, or nothing.
        func show(_ label: AppInboxLabel?) {
            view.text = label?.text
            view.isHidden = !(label?.isVisible ?? false)
            guard let label else { return }
            if label.size != shown?.size || label.weight != shown?.weight {
                view.font = .appInbox(size: label.size, weight: label.weight)
            }
            if label.maximumLines != shown?.maximumLines { view.numberOfLines = label.maximumLines }
            if label.color != shown?.color, let color = label.color { view.textColor = UIColor(color) }
            shown = label
        }
    }

    /// A button that shows an ``AppInboxButtonLook``, as ``LabelPresenter`` does.
    @MainActor
    final class ButtonPresenter {
        // The label may belong to a button.
        private weak var view: UIButton?
        private var shown: AppInboxButtonLook?

        init(_ view: UIButton) {
            self.view = view
            view.titleLabel?.adjustsFontForContentSizeCategory = true
        }

        /// Shows a look, or nothing.
        func show(_ look: AppInboxButtonLook?) {
            view?.isHidden = look == nil
            guard let view, let look, look != shown else { return }
            if look.title != shown?.title { view.setTitle(look.title, for: .normal) }
            if look.size != shown?.size || look.weight != shown?.weight {
                view.titleLabel?.font = .appInbox(size: look.size, weight: look.weight)
            }
            if look.textColor != shown?.textColor, let color = look.textColor {
                view.setTitleColor(UIColor(color), for: .normal)
                view.tintColor = UIColor(color)
            }
            if look.backgroundColor != shown?.backgroundColor, let color = look.backgroundColor {
                view.backgroundColor = UIColor(color)
            }
            if look.cornerRadius != shown?.cornerRadius { view.layer.cornerRadius = CGFloat(look.cornerRadius) }
            if look.isEnabled != shown?.isEnabled { view.isEnabled = look.isEnabled }
            if look.showsIcon != shown?.showsIcon {
                view.setImage(look.showsIcon ? UIImage(systemName: "tray") : nil, for: .normal)
            }
            shown = look
        }
    }
#endif
