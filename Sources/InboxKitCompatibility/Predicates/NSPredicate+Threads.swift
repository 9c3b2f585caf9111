// Format strings and key-value coding are available only on Apple platforms.
#if canImport(ObjectiveC)
    public import Foundation
    import InboxMail

    extension INRecordProvider where Object == INThread {
        /// Sets a predicate of InboxKit's kind, such as `NSPredicate(format: "ANY tagIDs = %@", INTagIDUnread)`.
        ///
        /// It supports AND, OR and NOT of comparisons of `ID`, `subject`, `snippet`, `lastMessageDate`, `unread` and
        /// `tagIDs` with constants: `=`, `!=`, `<`, `<=`, `>`, `>=`, CONTAINS, BEGINSWITH, IN and BETWEEN, if they suit
        /// the property. Text is compared by bytes.
        ///
        /// - Throws: `MailError` `invalidArgument` that names the unsupported part. If it throws, nothing has changed.
        public func setItemFilterPredicate(_ predicate: NSPredicate?) throws {
            itemFilterPredicate = try predicate.map {
                try ThreadCondition($0) { namespace.condition(tagID: $0) }.predicate
            }
        }

        /// Sets sort descriptors by key: `lastMessageDate` or `subject`.
        ///
        /// - Throws: `MailError` `invalidArgument` for another key. If it throws, nothing has changed.
        public func setItemSortDescriptors(_ descriptors: [NSSortDescriptor]) throws {
            itemSortDescriptors = try descriptors.map { descriptor in
                let order = descriptor.ascending ? SortOrder.forward : .reverse
                switch descriptor.key {
                case "lastMessageDate": return SortDescriptor(\MailThread.lastMessageDate, order: order)
                case "subject": return SortDescriptor(\MailThread.subject, comparator: .lexical, order: order)
                default:
                    throw MailError(
                        .invalidArgument,
                        "Threads can't be sorted by \(descriptor.key ?? "a comparator")."
                    )
                }
            }
        }
    }

    extension ThreadCondition {
        fileprivate init(_ predicate: NSPredicate, tag: (String) -> ThreadCondition) throws {
            switch predicate {
            case let predicate as NSCompoundPredicate:
                let parts = try predicate.subpredicates.map { part in
                    guard let part = part as? NSPredicate else { throw Self.unreadable(predicate) }
                    return try ThreadCondition(part, tag: tag)
                }
                switch predicate.compoundPredicateType {
                case .and: self = .all(parts)
                case .or: self = .any(parts)
                case .not where parts.count == 1: self = !parts[0]
                default: throw Self.unreadable(predicate)
                }
            case let predicate as NSComparisonPredicate:
                guard predicate.leftExpression.expressionType == .keyPath,
                    predicate.rightExpression.expressionType == .constantValue, predicate.options.isEmpty,
                    predicate.comparisonPredicateModifier != .all,
                    let operation = Self.operation(predicate.predicateOperatorType),
                    let condition = ThreadCondition.property(
                        predicate.leftExpression.keyPath,
                        operation,
                        predicate.rightExpression.constantValue,
                        tag: tag
                    )
                else { throw Self.unreadable(predicate) }
                self = condition
            default: throw Self.unreadable(predicate)
            }
        }

        private static func operation(_ type: NSComparisonPredicate.Operator) -> Operation? {
            switch type {
            case .equalTo: .compare(.equal)
            case .notEqualTo: .compare(.notEqual)
            case .lessThan: .compare(.less)
            case .lessThanOrEqualTo: .compare(.lessOrEqual)
            case .greaterThan: .compare(.greater)
            case .greaterThanOrEqualTo: .compare(.greaterOrEqual)
            case .contains: .contains
            case .beginsWith: .beginsWith
            case .in: .isIn
            case .between: .isBetween
            default: nil
            }
        }

        /// The error has no values, because they can contain personal data.
        private static func unreadable(_ predicate: NSPredicate) -> MailError {
            let name = (predicate as? NSComparisonPredicate)?.leftExpression
            let part = name?.expressionType == .keyPath ? name?.keyPath : nil
            return MailError(
                .invalidArgument,
                "A predicate on threads can't be read\(part.map { ", at \($0)" } ?? "")."
            )
        }
    }
#endif
