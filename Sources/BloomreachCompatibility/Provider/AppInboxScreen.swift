#if canImport(UIKit)
    public import UIKit

    /// The button that opens the list.
    public typealias AppInboxButton = UIButton
    /// A screen.
    public typealias AppInboxScreen = UIViewController
    /// A row of the list.
    public typealias AppInboxCell = UITableViewCell
#else
    /// The button that opens the list: without UIKit, the model to draw it from.
    public typealias AppInboxButton = AppInboxButtonModel
    /// A screen: without UIKit, an ``AppInboxListModel`` or an ``AppInboxDetailModel`` to draw it from.
    public typealias AppInboxScreen = any AppInboxScreenModel
    /// A row of the list; without UIKit, its content.
    public typealias AppInboxCell = AppInboxRow
#endif

/// The model of a screen.
@MainActor
public protocol AppInboxScreenModel: AnyObject {}

extension AppInboxListModel: AppInboxScreenModel {}
extension AppInboxDetailModel: AppInboxScreenModel {}
