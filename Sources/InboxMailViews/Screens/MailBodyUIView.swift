#if canImport(UIKit) && canImport(SwiftUI) && canImport(WebKit)
    import SwiftUI
    public import UIKit

    /// A mail's body in UIKit, for apps without SwiftUI: ``MailBodyView`` in a view that measures itself. It is as high
    /// as the mail: put it into a scroll view, and set the ``MailBodyModel/openURL`` of its model.
    public final class MailBodyUIView: UIView {
        /// The model whose state is shown.
        public let model: MailBodyModel
        /// Receives the height of the mail in points, when it has changed.
        public var onHeight: ((CGFloat) -> Void)?

        private let host: UIHostingController<MeasuredBody>
        private let report = HeightReport()
        private var height: CGFloat = 0

        /// Creates the view of a mail's body.
        public init(_ model: MailBodyModel) {
            self.model = model
            host = UIHostingController(rootView: MeasuredBody(model: model, report: report))
            super.init(frame: .zero)
            host.sizingOptions = .intrinsicContentSize
            let content: UIView = host.view
            content.backgroundColor = .clear
            content.translatesAutoresizingMaskIntoConstraints = false
            addSubview(content)
            NSLayoutConstraint.activate([
                content.topAnchor.constraint(equalTo: topAnchor),
                content.leadingAnchor.constraint(equalTo: leadingAnchor),
                content.trailingAnchor.constraint(equalTo: trailingAnchor),
            ])
            report.action = { [weak self] height in self?.measured(height) }
        }

        /// The view isn't made for storyboards.
        @available(*, unavailable)
        public required init?(coder: NSCoder) { nil }

        /// The height of the mail, and any width.
        public override var intrinsicContentSize: CGSize {
            CGSize(width: UIView.noIntrinsicMetric, height: height)
        }

        private func measured(_ height: CGFloat) {
            guard height != self.height else { return }
            self.height = height
            invalidateIntrinsicContentSize()
            onHeight?(height)
        }
    }

    /// The receiver of the height.
    @MainActor
    private final class HeightReport {
        var action: ((CGFloat) -> Void)?
    }

    private struct MeasuredBody: View {
        let model: MailBodyModel
        let report: HeightReport

        var body: some View {
            MailBodyView(model)
                .onGeometryChange(for: CGFloat.self) { geometry in
                    geometry.size.height
                } action: { [report] height in
                    report.action?(height)
                }
        }
    }
#endif
