package import Groundwork

/// The identity of the writes of one `set`. A server answers a repeated batch as it did the first time and applies
/// nothing.
///
/// It is an extension of `set`, an argument named ``argument``. Other servers ignore it.
package struct Batch: Hashable, Sendable {
    package static let argument = "batch"

    /// A random id, generated each time a store is opened for syncing.
    package let epoch: String
    /// The number within the epoch, counted from 1.
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
