/// The limits of fetching the pictures of one message.
package struct PictureLimits: Hashable, Sendable {
    /// The maximum size of a picture, in bytes.
    package var pictureSize = 5 << 20
    /// The maximum size of a message's pictures together, in bytes. What is received and isn't a picture counts too.
    package var messageSize = 20 << 20
    /// The time for a picture, with its redirects, in seconds.
    package var pictureTime: Double = 10
    /// The time after which no further picture of the message is begun, in seconds.
    package var messageTime: Double = 20
    /// The number of pictures that are fetched at the same time.
    package var concurrent = 4
    /// The number of different addresses of a message from which pictures are fetched.
    package var count = 100
    /// The number of redirects that are followed for a picture.
    package var redirects = 3

    package init() {}
}
