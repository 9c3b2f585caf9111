/// The error of a write that was refused because too many others wait. Nothing was stored, and it may be repeated
/// later.
package struct WriterIsBusy: Error, CustomStringConvertible {
    package let description = "Too many writes wait for the database."
}
