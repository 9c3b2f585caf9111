package import Groundwork

/// Names the writes of one `set`, so that a server that has answered them once answers a repeat alike and applies
/// nothing.
///
/// An argument of our own on `set`, named ``argument``. Other servers ignore it.
package struct Batch: Hashable, Sendable {
    package static let argument = "batch"

    /// Random, made each time that a store is opened for syncing.
    package let epoch: String
    /// Counts up within an epoch, from 1.
    package let number: Int

    package init(epoch: String, number: Int) {
        self.epoch = epoch
        self.number = number
    }

    package init(reading reader: JSONReader) throws(JSONValueError) {
        try reader.only(["epoch", "number"])
        epoch = try reader.required("epoch").identifier()
        number = try reader.required("number").int(in: 1...JSONReader.maxInt)
    }

    package var json: JSON { ["epoch": .string(epoch), "number": JSON(number)] }
}
