/// An unexpected state of the screen.
package struct Unexpected: Error {
    package let what: String

    package init(_ what: String) { self.what = what }
}
