import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension Error {
    /// The reason why a file can't be read, written or removed, without a period: the system's words, such as "Is a
    /// directory". Foundation's own texts often have a number in place of them.
    package var fileReason: String {
        let whole = self as NSError
        let causes: [(any Error)?] = [
            (self as? CocoaError)?.underlying, whole.userInfo[NSUnderlyingErrorKey] as? NSError, whole,
        ]
        for case let cause? in causes {
            let cause = cause as NSError
            guard cause.domain == NSPOSIXErrorDomain, let code = CInt(exactly: cause.code) else { continue }
            return String(cString: strerror(code))
        }
        return localizedDescription.hasSuffix(".") ? String(localizedDescription.dropLast()) : localizedDescription
    }
}
