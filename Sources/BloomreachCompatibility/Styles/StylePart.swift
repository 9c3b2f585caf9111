import Groundwork

/// A part of the tree, which knows the names of its members.
protocol StylePart {
    /// A part without any member.
    static var unset: Self { get }

    /// Reads the members that an object has.
    mutating func read(_ object: JSONObject, in reading: inout StyleReading)
}

extension AppInboxStyle: StylePart {
    static var unset: Self { Self() }

    mutating func read(_ object: JSONObject, in reading: inout StyleReading) {
        reading.each(object) { name, value, reading in
            switch name {
            case "appInboxButton": appInboxButton = reading.part(value)
            case "detailView": detailView = reading.part(value)
            case "listView": listView = reading.part(value)
            default: return false
            }
            return true
        }
    }
}

extension ListScreenStyle: StylePart {
    static var unset: Self { Self() }

    mutating func read(_ object: JSONObject, in reading: inout StyleReading) {
        reading.each(object) { name, value, reading in
            switch name {
            case "emptyTitle": emptyTitle = reading.part(value)
            case "emptyMessage": emptyMessage = reading.part(value)
            case "errorTitle": errorTitle = reading.part(value)
            case "errorMessage": errorMessage = reading.part(value)
            case "progress": progress = reading.part(value)
            case "list": list = reading.part(value)
            default: return false
            }
            return true
        }
    }
}

extension AppInboxListViewStyle: StylePart {
    static var unset: Self { Self() }

    mutating func read(_ object: JSONObject, in reading: inout StyleReading) {
        reading.each(object) { name, value, reading in
            switch name {
            case "backgroundColor": backgroundColor = reading.color(value)
            case "item": item = reading.part(value)
            default: return false
            }
            return true
        }
    }
}

extension AppInboxListItemStyle: StylePart {
    static var unset: Self { Self() }

    mutating func read(_ object: JSONObject, in reading: inout StyleReading) {
        reading.each(object) { name, value, reading in
            switch name {
            case "backgroundColor": backgroundColor = reading.color(value)
            case "readFlag": readFlag = reading.part(value)
            case "receivedTime": receivedTime = reading.part(value)
            case "title": title = reading.part(value)
            case "content": content = reading.part(value)
            case "image": image = reading.part(value)
            default: return false
            }
            return true
        }
    }
}

extension DetailViewStyle: StylePart {
    static var unset: Self { Self() }

    mutating func read(_ object: JSONObject, in reading: inout StyleReading) {
        reading.each(object) { name, value, reading in
            switch name {
            case "title": title = reading.part(value)
            case "content": content = reading.part(value)
            case "receivedTime": receivedTime = reading.part(value)
            case "image": image = reading.part(value)
            case "button": button = reading.part(value)
            default: return false
            }
            return true
        }
    }
}

extension TextViewStyle: StylePart {
    static var unset: Self { Self() }

    mutating func read(_ object: JSONObject, in reading: inout StyleReading) {
        reading.each(object) { name, value, reading in
            switch name {
            case "visible": visible = reading.bool(value)
            case "textColor": textColor = reading.color(value)
            case "textSize": textSize = reading.length(value, in: AppInboxStyle.textSizes)
            case "textWeight": textWeight = reading.weight(value)
            case "textOverride": textOverride = reading.text(value)
            default: return false
            }
            return true
        }
    }
}

extension ButtonStyle: StylePart {
    static var unset: Self { Self() }

    mutating func read(_ object: JSONObject, in reading: inout StyleReading) {
        reading.each(object) { name, value, reading in
            switch name {
            case "textOverride": textOverride = reading.text(value)
            case "textColor": textColor = reading.color(value)
            case "backgroundColor": backgroundColor = reading.color(value)
            case "showIcon": showIcon = reading.bool(value)
            case "textSize": textSize = reading.length(value, in: AppInboxStyle.textSizes)
            case "enabled": enabled = reading.bool(value)
            case "borderRadius": borderRadius = reading.length(value, in: AppInboxStyle.radii)
            case "textWeight": textWeight = reading.weight(value)
            default: return false
            }
            return true
        }
    }
}

extension ImageViewStyle: StylePart {
    static var unset: Self { Self() }

    mutating func read(_ object: JSONObject, in reading: inout StyleReading) {
        reading.each(object) { name, value, reading in
            switch name {
            case "visible": visible = reading.bool(value)
            case "backgroundColor": backgroundColor = reading.color(value)
            default: return false
            }
            return true
        }
    }
}

extension ProgressBarStyle: StylePart {
    static var unset: Self { Self() }

    mutating func read(_ object: JSONObject, in reading: inout StyleReading) {
        reading.each(object) { name, value, reading in
            switch name {
            case "visible": visible = reading.bool(value)
            case "progressColor": progressColor = reading.color(value)
            case "backgroundColor": backgroundColor = reading.color(value)
            default: return false
            }
            return true
        }
    }
}
