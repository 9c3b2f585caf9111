#if canImport(UIKit)
    import Observation
    public import UIKit

    /// The default screen with the list, with Bloomreach's names of its parts. Load the view before a part is changed:
    /// `loadViewIfNeeded()`.
    open class AppInboxListViewController: UIViewController, UITableViewDataSource, UITableViewDelegate {
        /// The model whose state is shown.
        public let model: AppInboxListModel
        /// The messages.
        public let tableView = UITableView(frame: .zero, style: .plain)
        /// The view in place of the messages.
        public var statusContainer: UIStackView { status.container }
        /// The progress indicator.
        public var statusProgress: UIActivityIndicatorView { status.progress }
        /// The title of an empty list and of an error.
        public var statusTitle: UILabel { status.titleView }
        /// The text of an empty list and of an error.
        public var statusMessage: UILabel { status.messageView }

        /// Called on a tap on a row in place of the default behavior, as ``AppInboxListModel/onItemClickedOverride``.
        public var onItemClickedOverride: (@MainActor (MessageItem, Int) -> Void)? {
            get { model.onItemClickedOverride }
            set { model.onItemClickedOverride = newValue }
        }

        private let status = StatusPresenter()
        /// The messages as the table has them. The model may be ahead until the next ``update()``.
        private var shown: [String] = []

        /// Creates the screen of a model.
        public init(_ model: AppInboxListModel) {
            self.model = model
            super.init(nibName: nil, bundle: nil)
        }

        /// Creates a screen of `Exponea.shared` with the default style.
        public convenience init() { self.init(AppInboxListModel()) }

        /// The screen isn't made for storyboards.
        @available(*, unavailable)
        public required init?(coder: NSCoder) { nil }

        /// Adds the views, and shows the model's state.
        open override func viewDidLoad() {
            super.viewDidLoad()
            title = model.title
            view.backgroundColor = .systemBackground
            tableView.dataSource = self
            tableView.delegate = self
            tableView.register(MessageItemCell.self, forCellReuseIdentifier: MessageItemCell.identifier)
            tableView.rowHeight = UITableView.automaticDimension
            tableView.estimatedRowHeight = 96
            if let color = model.backgroundColor { tableView.backgroundColor = UIColor(color) }
            let control = UIRefreshControl(frame: .zero)
            control.addAction(
                UIAction { [weak self, weak control] _ in
                    Task {
                        await self?.model.refresh()
                        control?.endRefreshing()
                    }
                },
                for: .valueChanged
            )
            tableView.refreshControl = control
            tableView.fill(view)
            status.add(to: view)
            model.onOpen = { [weak self] screen in self?.open(screen) }
            update()
        }

        /// Adds a button that closes the screen, if it covers another one.
        open override func viewWillAppear(_ animated: Bool) {
            super.viewWillAppear(animated)
            guard let navigation = navigationController, navigation.viewControllers.first === self,
                navigation.presentingViewController != nil
            else { return }
            navigationItem.leftBarButtonItem = UIBarButtonItem(
                systemItem: .close,
                primaryAction: UIAction { [weak self] _ in self?.dismiss(animated: true) }
            )
        }

        /// Shows the model's state, and again after its next change.
        private func update() {
            let status = withObservationTracking {
                // A row depends on its message and on the time.
                _ = model.row(at: 0)
                return model.status
            } onChange: { [weak self] in
                Task { @MainActor in self?.update() }
            }
            self.status.show(status)
            shown = model.ids
            tableView.reloadData()
        }

        /// Shows the screen of a message. The second of two taps in quick succession is ignored.
        private func open(_ screen: UIViewController) {
            guard let navigation = navigationController else { return present(screen, animated: true) }
            guard navigation.topViewController === self else { return }
            navigation.pushViewController(screen, animated: true)
        }

        // MARK: - The table

        /// The number of messages.
        open func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { shown.count }

        /// The cell of a message, from the registered provider.
        open func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
            let cell = tableView.dequeueReusableCell(withIdentifier: MessageItemCell.identifier, for: indexPath)
            if let row = model.row(at: indexPath.row) { (cell as? MessageItemCell)?.showData(row) }
            return model.provided(cell)
        }

        /// Extends the list near its end.
        open func tableView(
            _ tableView: UITableView,
            willDisplay cell: UITableViewCell,
            forRowAt indexPath: IndexPath
        ) {
            model.willShow(indexPath.row)
        }

        /// Handles a tap on a message.
        open func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
            tableView.deselectRow(at: indexPath, animated: true)
            if shown.indices.contains(indexPath.row) { model.tap(shown[indexPath.row]) }
        }
    }
#endif
