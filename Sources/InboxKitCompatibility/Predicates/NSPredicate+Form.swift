// Key-value coding, and with it predicates of this kind, are available only on Apple platforms.
#if canImport(ObjectiveC)
    public import Foundation
    import InboxMail

    /// A provider with a filter that can be an `NSPredicate`. (A class can't have two properties of one name, but its
    /// own one and that of a protocol, which the type of the value distinguishes.)
    @MainActor
    public protocol INPredicateProvider: AnyObject {
        /// The same as ``itemFilterPredicate``.
        var itemFilterNSPredicate: NSPredicate? { get set }
    }

    extension INPredicateProvider {
        /// The condition of the items as an `NSPredicate`, such as `NSPredicate(format: "ANY tagIDs = 'unread'")`; nil
        /// if there is none, or one of another kind.
        ///
        /// Setting one that isn't supported changes nothing, and is reported to the delegate as an
        /// ``INPredicateError``.
        public var itemFilterPredicate: NSPredicate? {
            get { itemFilterNSPredicate }
            set { itemFilterNSPredicate = newValue }
        }
    }

    extension INRecordProvider: INPredicateProvider {
        /// The condition of the items as an `NSPredicate`; nil if there is none, or one of another kind.
        public var itemFilterNSPredicate: NSPredicate? {
            get { objectPredicate }
            set {
                do { try setItemFilterPredicate(newValue) } catch { relay.events.yield(.failed(error)) }
            }
        }

        /// Sets a predicate of InboxKit's kind; nil for none. It supports the same predicates as
        /// ``setItemFilterPredicate(format:_:)``.
        ///
        /// - Throws: ``INPredicateError``. If it throws, nothing has changed.
        public func setItemFilterPredicate(_ predicate: NSPredicate?) throws {
            guard let predicate else {
                itemFilterPredicate = nil as Predicate<Record>?
                return
            }
            try setItemFilterPredicate(PredicateForm(predicate))
            objectPredicate = predicate
        }

        /// Sets sort descriptors by key: the names of the texts and dates that predicates can use, such as
        /// `lastMessageDate` and `subject` of threads, `date` and `subject` of mails and drafts, `name` and `email` of
        /// contacts. Texts are compared by their bytes, whatever the descriptor's selector.
        ///
        /// - Throws: `MailError` `invalidArgument` for another key. If it throws, nothing has changed.
        public func setItemSortDescriptors(_ descriptors: [NSSortDescriptor]) throws {
            itemSortDescriptors = try descriptors.map { try sortDescriptor(key: $0.key, isAscending: $0.ascending) }
        }
    }

    extension PredicateForm {
        /// Reads a predicate.
        ///
        /// - Throws: ``INPredicateError``.
        init(_ predicate: NSPredicate) throws(INPredicateError) {
            var size = (comparisons: 0, values: 0)
            try self.init(predicate, depth: 0, &size)
        }

        /// Reads the objects of a predicate, which have its values as they are. A predicate of another class, such as
        /// one of a constant, is read from its format.
        fileprivate init(
            _ predicate: NSPredicate,
            depth: Int,
            _ size: inout (comparisons: Int, values: Int)
        ) throws(INPredicateError) {
            guard depth <= INPredicateLimits.depth else {
                throw INPredicateError(.limit, at: nil, "it is nested more than \(INPredicateLimits.depth) levels deep")
            }
            switch predicate {
            case let predicate as NSCompoundPredicate:
                var parts: [PredicateForm] = []
                for part in predicate.subpredicates {
                    guard let part = part as? NSPredicate else {
                        throw INPredicateError(.unsupported, at: nil, "a part isn't a predicate")
                    }
                    parts.append(try PredicateForm(part, depth: depth + 1, &size))
                }
                switch predicate.compoundPredicateType {
                case .and: self = .all(parts)
                case .or: self = .any(parts)
                case .not where parts.count == 1: self = parts[0].negated
                default: throw INPredicateError(.unsupported, at: nil, "its parts are combined in an unknown way")
                }
            case let predicate as NSComparisonPredicate:
                let comparison = try PredicateComparison(predicate)
                size.comparisons += 1
                size.values += comparison.value.count
                guard size.comparisons <= INPredicateLimits.comparisons, size.values <= INPredicateLimits.values else {
                    throw INPredicateError(.limit, at: nil, "it has too many comparisons or values")
                }
                self = .comparison(comparison)
            default: self = try PredicateForm(format: predicate.predicateFormat)
            }
        }
    }

    extension PredicateComparison {
        fileprivate init(_ predicate: NSComparisonPredicate) throws(INPredicateError) {
            guard let operation = Self.operation(predicate.predicateOperatorType) else {
                throw INPredicateError(.unsupported, at: nil, "an operator isn't supported")
            }
            let (left, right) = (predicate.leftExpression, predicate.rightExpression)
            if left.expressionType == .keyPath {
                let value = try Self.value(right)
                self.init(left.keyPath, operation, value, modifier: Self.modifier(predicate))
            } else {
                guard right.expressionType == .keyPath, predicate.comparisonPredicateModifier == .direct,
                    let mirrored = operation.mirrored
                else {
                    throw INPredicateError(
                        .unsupported,
                        at: nil,
                        "the property has to be on the left of \(operation.name)"
                    )
                }
                self.init(right.keyPath, mirrored, try Self.value(left))
            }
            guard predicate.options.isSubset(of: [.caseInsensitive, .diacriticInsensitive]) else {
                throw INPredicateError(.unsupported, at: nil, "an operator's options are [c], [d] and [cd]")
            }
            ignoresCase = predicate.options.contains(.caseInsensitive)
            ignoresAccents = predicate.options.contains(.diacriticInsensitive)
        }

        private static func modifier(_ predicate: NSComparisonPredicate) -> Modifier {
            switch predicate.comparisonPredicateModifier {
            case .all: .all
            case .any: .any
            default: .direct
            }
        }

        /// Returns the value of a constant or of a list of constants.
        private static func value(_ expression: NSExpression) throws(INPredicateError) -> PredicateValue {
            let constant: Any?
            switch expression.expressionType {
            case .constantValue: constant = expression.constantValue
            case .aggregate:
                constant = (expression.collection as? [Any])?.map { element in
                    let element = element as? NSExpression
                    return element?.expressionType == .constantValue
                        ? element?.constantValue ?? NSNull() : element as Any
                }
            default:
                throw INPredicateError(.unsupported, at: nil, "a property is compared with constants alone")
            }
            guard let value = PredicateValue(constant) else {
                throw INPredicateError(
                    .argument,
                    at: nil,
                    "a value is neither a text, a number, a Boolean, a date nor a list of these"
                )
            }
            return value
        }

        private static func operation(_ type: NSComparisonPredicate.Operator) -> Operation? {
            switch type {
            case .equalTo: .equal
            case .notEqualTo: .notEqual
            case .lessThan: .less
            case .lessThanOrEqualTo: .lessOrEqual
            case .greaterThan: .greater
            case .greaterThanOrEqualTo: .greaterOrEqual
            case .contains: .contains
            case .beginsWith: .begins
            case .endsWith: .ends
            case .like: .like
            case .in: .isIn
            case .between: .isBetween
            default: nil
            }
        }
    }
#endif
