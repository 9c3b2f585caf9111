// What the views use of Core Graphics and Core Foundation. It follows Apple's public documentation and does nothing.
public import Foundation

public final class CGImage {
    public let width = 0
    public let height = 0
}

public typealias CFData = NSData
public typealias CFDictionary = NSDictionary
public typealias CFString = NSString
