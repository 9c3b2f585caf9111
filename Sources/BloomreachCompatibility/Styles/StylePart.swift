import Groundwork

/// A part of the tree, which knows the names of its members.
protocol StylePart {
    /// A part without any member.
    static var unset: Self { get }
    /// The members that it can have.
    static var members: [StyleMember<Self>] { get }
}

extension StylePart {
    /// Reads the members that an object has.
    mutating func read(_ object: JSONObject, in reading: inout StyleReading) {
        reading.each(object) { name, value, reading in
            guard let member = Self.members.first(where: { $0.name == name }) else { return false }
            member.read(value, &self, &reading)
            return true
        }
    }
}

/// A member of a part: its name, and how its value is read.
struct StyleMember<Part> {
    let name: String
    let read: (JSON, inout Part, inout StyleReading) -> Void

    private init<Value>(
        _ name: String,
        _ path: WritableKeyPath<Part, Value?>,
        _ read: @escaping (JSON, inout StyleReading) -> Value?
    ) {
        self.name = name
        self.read = { value, part, reading in part[keyPath: path] = read(value, &reading) }
    }

    static func part(_ name: String, _ path: WritableKeyPath<Part, (some StylePart)?>) -> Self {
        Self(name, path) { $1.part($0) }
    }

    static func text(_ name: String, _ path: WritableKeyPath<Part, String?>) -> Self {
        Self(name, path) { $1.text($0) }
    }

    static func color(_ name: String, _ path: WritableKeyPath<Part, String?>) -> Self {
        Self(name, path) { $1.color($0) }
    }

    static func weight(_ name: String, _ path: WritableKeyPath<Part, String?>) -> Self {
        Self(name, path) { $1.weight($0) }
    }

    static func bool(_ name: String, _ path: WritableKeyPath<Part, Bool?>) -> Self {
        Self(name, path) { $1.bool($0) }
    }

    static func length(
        _ name: String,
        _ path: WritableKeyPath<Part, String?>,
        in range: ClosedRange<Double>
    ) -> Self {
        Self(name, path) { $1.length($0, in: range) }
    }
}

extension AppInboxStyle: StylePart {
    static var unset: Self { Self() }
    static var members: [StyleMember<Self>] {
        [
            .part("appInboxButton", \.appInboxButton),
            .part("detailView", \.detailView),
            .part("listView", \.listView),
        ]
    }
}

extension ListScreenStyle: StylePart {
    static var unset: Self { Self() }
    static var members: [StyleMember<Self>] {
        [
            .part("emptyTitle", \.emptyTitle),
            .part("emptyMessage", \.emptyMessage),
            .part("errorTitle", \.errorTitle),
            .part("errorMessage", \.errorMessage),
            .part("progress", \.progress),
            .part("list", \.list),
        ]
    }
}

extension AppInboxListViewStyle: StylePart {
    static var unset: Self { Self() }
    static var members: [StyleMember<Self>] {
        [
            .color("backgroundColor", \.backgroundColor),
            .part("item", \.item),
        ]
    }
}

extension AppInboxListItemStyle: StylePart {
    static var unset: Self { Self() }
    static var members: [StyleMember<Self>] {
        [
            .color("backgroundColor", \.backgroundColor),
            .part("readFlag", \.readFlag),
            .part("receivedTime", \.receivedTime),
            .part("title", \.title),
            .part("content", \.content),
            .part("image", \.image),
        ]
    }
}

extension DetailViewStyle: StylePart {
    static var unset: Self { Self() }
    static var members: [StyleMember<Self>] {
        [
            .part("title", \.title),
            .part("content", \.content),
            .part("receivedTime", \.receivedTime),
            .part("image", \.image),
            .part("button", \.button),
        ]
    }
}

extension TextViewStyle: StylePart {
    static var unset: Self { Self() }
    static var members: [StyleMember<Self>] {
        [
            .bool("visible", \.visible),
            .color("textColor", \.textColor),
            .length("textSize", \.textSize, in: AppInboxStyle.textSizes),
            .weight("textWeight", \.textWeight),
            .text("textOverride", \.textOverride),
        ]
    }
}

extension ButtonStyle: StylePart {
    static var unset: Self { Self() }
    static var members: [StyleMember<Self>] {
        [
            .text("textOverride", \.textOverride),
            .color("textColor", \.textColor),
            .color("backgroundColor", \.backgroundColor),
            .bool("showIcon", \.showIcon),
            .length("textSize", \.textSize, in: AppInboxStyle.textSizes),
            .bool("enabled", \.enabled),
            .length("borderRadius", \.borderRadius, in: AppInboxStyle.radii),
            .weight("textWeight", \.textWeight),
        ]
    }
}

extension ImageViewStyle: StylePart {
    static var unset: Self { Self() }
    static var members: [StyleMember<Self>] {
        [
            .bool("visible", \.visible),
            .color("backgroundColor", \.backgroundColor),
        ]
    }
}

extension ProgressBarStyle: StylePart {
    static var unset: Self { Self() }
    static var members: [StyleMember<Self>] {
        [
            .bool("visible", \.visible),
            .color("progressColor", \.progressColor),
            .color("backgroundColor", \.backgroundColor),
        ]
    }
}
