// Declarations of UIKit's constraints, from Apple's public documentation.
//
// https://developer.apple.com/documentation/uikit/nslayoutconstraint
public import Foundation

@MainActor
open class NSLayoutConstraint: NSObject {
    public enum Axis: Int, Sendable { case horizontal, vertical }
    public enum Relation: Int, Sendable { case lessThanOrEqual = -1, equal, greaterThanOrEqual }
    public enum Attribute: Int, Sendable {
        case left = 1, right, top, bottom, leading, trailing, width, height, centerX, centerY, notAnAttribute = 0
    }
    open class func activate(_ constraints: [NSLayoutConstraint]) {
        for constraint in constraints { constraint.isActive = true }
    }
    open var isActive = false {
        didSet {
            guard isActive != oldValue, let view = firstItem as? UIView else { return }
            if isActive { view.placements.append(self) } else { view.placements.removeAll { $0 === self } }
        }
    }
    open var constant: CGFloat
    open private(set) weak var firstItem: AnyObject?
    public let firstAttribute: Attribute
    public let relation: Relation
    open private(set) weak var secondItem: AnyObject?
    public let secondAttribute: Attribute
    public let multiplier: CGFloat

    fileprivate init(
        _ first: Anchor,
        _ relation: Relation,
        _ second: Anchor?,
        multiplier: CGFloat = 1,
        constant: CGFloat = 0
    ) {
        (firstItem, firstAttribute) = (first.item, first.attribute)
        (secondItem, secondAttribute) = (second?.item, second?.attribute ?? .notAnAttribute)
        (self.relation, self.multiplier, self.constant) = (relation, multiplier, constant)
    }
}

/// What an anchor stands for.
private struct Anchor {
    let item: UIView
    let attribute: NSLayoutConstraint.Attribute
}

@MainActor
open class NSLayoutXAxisAnchor: NSObject {
    private let anchor: Anchor
    init(_ item: UIView, _ attribute: NSLayoutConstraint.Attribute) {
        anchor = Anchor(item: item, attribute: attribute)
    }
    open func constraint(equalTo anchor: NSLayoutXAxisAnchor) -> NSLayoutConstraint {
        constraint(equalTo: anchor, constant: 0)
    }
    open func constraint(equalTo anchor: NSLayoutXAxisAnchor, constant c: CGFloat) -> NSLayoutConstraint {
        NSLayoutConstraint(self.anchor, .equal, anchor.anchor, constant: c)
    }
}

@MainActor
open class NSLayoutYAxisAnchor: NSObject {
    private let anchor: Anchor
    init(_ item: UIView, _ attribute: NSLayoutConstraint.Attribute) {
        anchor = Anchor(item: item, attribute: attribute)
    }
    open func constraint(equalTo anchor: NSLayoutYAxisAnchor) -> NSLayoutConstraint {
        constraint(equalTo: anchor, constant: 0)
    }
    open func constraint(equalTo anchor: NSLayoutYAxisAnchor, constant c: CGFloat) -> NSLayoutConstraint {
        NSLayoutConstraint(self.anchor, .equal, anchor.anchor, constant: c)
    }
}

@MainActor
open class NSLayoutDimension: NSObject {
    private let anchor: Anchor
    init(_ item: UIView, _ attribute: NSLayoutConstraint.Attribute) {
        anchor = Anchor(item: item, attribute: attribute)
    }
    open func constraint(equalTo anchor: NSLayoutDimension) -> NSLayoutConstraint {
        constraint(equalTo: anchor, multiplier: 1)
    }
    open func constraint(equalTo anchor: NSLayoutDimension, multiplier m: CGFloat) -> NSLayoutConstraint {
        NSLayoutConstraint(self.anchor, .equal, anchor.anchor, multiplier: m)
    }
    open func constraint(equalTo anchor: NSLayoutDimension, constant c: CGFloat) -> NSLayoutConstraint {
        NSLayoutConstraint(self.anchor, .equal, anchor.anchor, constant: c)
    }
    open func constraint(equalToConstant c: CGFloat) -> NSLayoutConstraint {
        NSLayoutConstraint(anchor, .equal, nil, constant: c)
    }
    open func constraint(greaterThanOrEqualToConstant c: CGFloat) -> NSLayoutConstraint {
        NSLayoutConstraint(anchor, .greaterThanOrEqual, nil, constant: c)
    }
}

/// A guide of a scroll view. It stands for the view itself.
@MainActor
open class UILayoutGuide: NSObject {
    private let view: UIView
    init(of view: UIView) { self.view = view }
    open var topAnchor: NSLayoutYAxisAnchor { view.topAnchor }
    open var bottomAnchor: NSLayoutYAxisAnchor { view.bottomAnchor }
    open var leadingAnchor: NSLayoutXAxisAnchor { view.leadingAnchor }
    open var trailingAnchor: NSLayoutXAxisAnchor { view.trailingAnchor }
    open var widthAnchor: NSLayoutDimension { view.widthAnchor }
}
