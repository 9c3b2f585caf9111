// Declarations of the part of UIKit's screens and tables that this package uses, from Apple's public documentation.
//
// https://developer.apple.com/documentation/uikit
public import Foundation

// MARK: - Tables

@MainActor
open class UITableViewCell: UIView {
    public enum CellStyle: Int, Sendable { case `default`, value1, value2, subtitle }
    public init(style: UITableViewCell.CellStyle, reuseIdentifier: String?) { super.init(frame: .zero) }
    public required init?(coder: NSCoder) { nil }
    open var contentView: UIView { self }
}

// Optional members that this package implements are required here, so that a signature that UIKit wouldn't call is
// found.
@MainActor
public protocol UITableViewDataSource: NSObjectProtocol {
    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int
    func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell
}

@MainActor
public protocol UITableViewDelegate: NSObjectProtocol {
    func tableView(_ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt indexPath: IndexPath)
    func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath)
}

@MainActor
open class UITableView: UIScrollView {
    public enum Style: Int, Sendable { case plain, grouped, insetGrouped }
    public init(frame: CGRect, style: UITableView.Style) {
        self.style = style
        super.init(frame: frame)
    }
    public required init?(coder: NSCoder) { nil }
    open class var automaticDimension: CGFloat { -1 }
    open weak var dataSource: (any UITableViewDataSource)?
    open weak var delegate: (any UITableViewDelegate)?
    public let style: Style
    open var rowHeight: CGFloat = -1
    open var estimatedRowHeight: CGFloat = -1
    private var cellClasses: [String: AnyClass] = [:]
    /// Makes cells by the name of their class, in place of Objective-C's runtime; not part of Apple's API.
    @_spi(Running) public static var cellMakers: [String: @MainActor () -> UITableViewCell] = [:]
    /// The cells as they were last loaded; not part of Apple's API.
    @_spi(Running) public private(set) var cells: [UITableViewCell] = []
    open func register(_ cellClass: AnyClass?, forCellReuseIdentifier identifier: String) {
        cellClasses[identifier] = cellClass
    }
    open func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath) -> UITableViewCell {
        let name = cellClasses[identifier].map { "\($0)" } ?? ""
        let cell = Self.cellMakers[name]?() ?? UITableViewCell(style: .default, reuseIdentifier: identifier)
        addSubview(cell)
        return cell
    }
    open func deselectRow(at indexPath: IndexPath, animated: Bool) {}
    open func reloadData() {
        for cell in cells { cell.removeFromSuperview() }
        guard let dataSource else { return cells = [] }
        let rows = (0..<dataSource.tableView(self, numberOfRowsInSection: 0)).map { IndexPath(row: $0, section: 0) }
        cells = rows.map { dataSource.tableView(self, cellForRowAt: $0) }
        for (cell, row) in zip(cells, rows) { delegate?.tableView(self, willDisplay: cell, forRowAt: row) }
    }
}

extension IndexPath {
    public init(row: Int, section: Int) { self.init(indexes: [section, row]) }
    public var row: Int { self[1] }
}

// MARK: - Screens

@MainActor
open class UIViewController: UIResponder {
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {}
    public required init?(coder: NSCoder) {}
    public convenience override init() { self.init(nibName: nil, bundle: nil) }
    private var loaded: UIView?
    open var view: UIView! {
        get {
            loadViewIfNeeded()
            return loaded
        }
        set { loaded = newValue }
    }
    open var title: String?
    open internal(set) weak var navigationController: UINavigationController?
    public let navigationItem = UINavigationItem()
    open private(set) weak var presentingViewController: UIViewController?
    open private(set) var presentedViewController: UIViewController?
    open var isBeingDismissed: Bool { false }
    open func loadViewIfNeeded() {
        guard loaded == nil else { return }
        loaded = UIView(frame: .zero)
        viewDidLoad()
    }
    open func viewDidLoad() {}
    open private(set) var children: [UIViewController] = []
    open func addChild(_ childController: UIViewController) { children.append(childController) }
    open func didMove(toParent parent: UIViewController?) {}
    open func viewWillAppear(_ animated: Bool) {}
    open func present(_ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil)
    {
        presentedViewController = viewControllerToPresent
        viewControllerToPresent.presentingViewController = self
        viewControllerToPresent.loadViewIfNeeded()
        viewControllerToPresent.viewWillAppear(flag)
        completion?()
    }
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
        // A screen that presents none is dismissed by the one that presents it, or its container.
        let presenting = presentingViewController ?? navigationController?.presentingViewController
        let presenter = presentedViewController == nil ? presenting : self
        presenter?.presentedViewController?.presentingViewController = nil
        presenter?.presentedViewController = nil
        completion?()
    }
}

@MainActor
open class UINavigationController: UIViewController {
    public init(rootViewController: UIViewController) {
        super.init(nibName: nil, bundle: nil)
        rootViewController.navigationController = self
        viewControllers = [rootViewController]
        rootViewController.loadViewIfNeeded()
    }
    public required init?(coder: NSCoder) { nil }
    open override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        topViewController?.viewWillAppear(animated)
    }
    open var topViewController: UIViewController? { viewControllers.last }
    open var viewControllers: [UIViewController] = []
    open func pushViewController(_ viewController: UIViewController, animated: Bool) {
        viewController.navigationController = self
        viewControllers.append(viewController)
        viewController.loadViewIfNeeded()
        viewController.viewWillAppear(animated)
    }
}

@MainActor
open class UINavigationItem: NSObject {
    open var leftBarButtonItem: UIBarButtonItem?
}

@MainActor
open class UIMenu: NSObject {}

@MainActor
open class UIBarButtonItem: NSObject {
    public enum SystemItem: Int, Sendable { case done, cancel, close = 24 }
    /// The kind of item; not part of Apple's API.
    @_spi(Running) public private(set) var systemItem = SystemItem.done
    open var primaryAction: UIAction?
    public convenience init(systemItem: UIBarButtonItem.SystemItem, primaryAction: UIAction? = nil, menu: UIMenu? = nil)
    {
        self.init()
        (self.systemItem, self.primaryAction) = (systemItem, primaryAction)
    }
}

// MARK: - The app

@MainActor
open class UIScene: UIResponder {
    public enum ActivationState: Int, Sendable {
        case unattached = -1, foregroundActive, foregroundInactive, background
    }
    open var activationState: UIScene.ActivationState { .unattached }
}

@MainActor
open class UIWindow: UIView {
    open var rootViewController: UIViewController?
}

@MainActor
open class UIWindowScene: UIScene {
    open var keyWindow: UIWindow? { window }
    override open var activationState: UIScene.ActivationState { window == nil ? .unattached : .foregroundActive }
    private var window: UIWindow?
    /// A scene with a window on screen; not part of Apple's API.
    @_spi(Running) public convenience init(showing screen: UIViewController) {
        self.init()
        window = UIWindow(frame: .zero)
        window?.rootViewController = screen
    }
}

public let NSUserActivityTypeBrowsingWeb = "NSUserActivityTypeBrowsingWeb"

open class NSUserActivity: NSObject {
    public let activityType: String
    open var webpageURL: URL?
    public init(activityType: String) { self.activityType = activityType }
}

@MainActor
public protocol UIUserActivityRestoring: NSObjectProtocol {}

/// Its parts are optional in Apple's.
@MainActor
public protocol UIApplicationDelegate: NSObjectProtocol {
    func application(
        _ application: UIApplication,
        continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool
}

@MainActor
open class UIApplication: UIResponder {
    open weak var delegate: (any UIApplicationDelegate)?
    public struct OpenExternalURLOptionsKey: Hashable, Sendable {}
    open class var shared: UIApplication { app }
    private static let app = UIApplication()
    open var connectedScenes: Set<UIScene> { Set(scenes) }
    /// The scenes, and the addresses that were opened; not part of Apple's API.
    @_spi(Running) public var scenes: [UIScene] = []
    @_spi(Running) public var opened: [URL] = []
    open func open(
        _ url: URL,
        options: [UIApplication.OpenExternalURLOptionsKey: Any] = [:],
        completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) {
        opened.append(url)
        completion?(true)
    }
}
