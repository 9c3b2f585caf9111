/// Complaints about other inboxes, paraphrased: their source, and what must not happen here.
///
/// `scripts/coverage` reads this file, as it does `ZetaStatement`.
package enum Complaint: String {
    // MARK: - Counts and state

    /// The count doesn't change when an unread message is deleted, and ignores local reads, deletions and expiries
    /// until the next sync.
    case airshipIOS63 = "urbanairship/ios-library#63"
    /// New messages arrive as read.
    case airshipFlutter26 = "urbanairship/airship-flutter#26"
    /// Messages never become read.
    case airshipReactNative751 = "urbanairship/react-native-airship#751"
    /// Counts are wrong, and negative at times.
    case nylas759 = "nylas/nylas-mail#759"
    /// The count is back at 0 after a reload.
    case novu620 = "novuhq/novu#620"
    /// Seen messages are unseen again.
    case novu6914 = "novuhq/novu#6914"
    /// A refresh restores a dismissed message.
    case brazeSwift155 = "braze-inc/braze-swift-sdk#155"
    /// The next person sees messages of the previous one.
    case brazeWeb134 = "braze-inc/braze-web-sdk#134"
    /// After a switch of accounts, messages are duplicated.
    case brazeWeb137 = "braze-inc/braze-web-sdk#137"
    /// An edited message loses its content.
    case brazeFlutter68 = "braze-inc/braze-flutter-sdk#68"
    /// The rule for displayed messages changes, and differs by platform.
    case brazeSwift69 = "braze-inc/braze-swift-sdk#69"

    // MARK: - Main thread, crashes, growth

    /// Starting blocks the main thread.
    case brazeSwift193 = "braze-inc/braze-swift-sdk#193"
    /// Starting blocks the main thread.
    case brazeSwift111 = "braze-inc/braze-swift-sdk#111"
    /// Starting blocks the main thread.
    case brazeSwift60 = "braze-inc/braze-swift-sdk#60"
    /// Pending writes grow without bound, until the app is killed at its launch.
    case brazeSwift172 = "braze-inc/braze-swift-sdk#172"
    /// Reads and deletions hang the main thread.
    case cleverTapIOS355 = "CleverTap/clevertap-ios-sdk#355"
    /// Reads and deletions hang the main thread.
    case cleverTapIOS248 = "CleverTap/clevertap-ios-sdk#248"
    /// Reads and deletions hang the main thread.
    case cleverTapIOS264 = "CleverTap/clevertap-ios-sdk#264"
    /// Reads and deletions hang the main thread.
    case cleverTapIOS211 = "CleverTap/clevertap-ios-sdk#211"
    /// Reading crashes.
    case cleverTapIOS119 = "CleverTap/clevertap-ios-sdk#119"
    /// Reading crashes.
    case cleverTapIOS177 = "CleverTap/clevertap-ios-sdk#177"
    /// A damaged store crashes the app at each launch.
    case exponea111 = "exponea/exponea-ios-sdk#111"

    // MARK: - Loading, realtime, leaks

    /// A fetch has no time limit, and stored messages are unavailable during it.
    case brazeReactNative308 = "braze-inc/braze-react-native-sdk#308"
    /// An open inbox doesn't refresh.
    case cleverTapAndroid81 = "CleverTap/clevertap-android-sdk#81"
    /// Two pictures with one URL leave an endless spinner.
    case brazeSwift176 = "braze-inc/braze-swift-sdk#176"
    /// One invalid message drops the whole sync.
    case braze1420 = "Braze 14.2.0"
    /// A dead connection isn't noticed.
    case novu2452 = "novuhq/novu#2452"
    /// The badge is stale.
    case novu5074 = "novuhq/novu#5074"
    /// The connection isn't restored after sleep.
    case courierReact512 = "trycourier/courier-react#512"
    /// Lists leak.
    case knock544 = "knocklabs/javascript#544"
    /// Of several lists only the last stays live.
    case knock513 = "knocklabs/javascript#513"

    // MARK: - Platform and API

    /// The API isn't `Sendable`, and can't be used in Swift 6.
    case brazeSwift85 = "braze-inc/braze-swift-sdk#85"
    /// A single message has no view.
    case brazeSwift184 = "braze-inc/braze-swift-sdk#184"
    /// There is no call to archive a message.
    case novuTS78 = "novuhq/novu-ts#78"
    /// There is no unread count.
    case airshipReactNative430 = "urbanairship/react-native-airship#430"
    /// Lists can't be filtered.
    case airshipReactNative449 = "urbanairship/react-native-airship#449"
    /// Messages can't be snoozed.
    case novu7689 = "novuhq/novu#7689"
    /// Only neighbours are grouped.
    ///
    /// Open: grouping
    case iceCubes477 = "Dimillian/IceCubesApp#477"

    // MARK: - Self-host and scale

    /// PostgreSQL can't be used.
    case novu606 = "novuhq/novu#606"
    /// Migrations can't be run.
    case novu4464 = "novuhq/novu#4464"
    /// The list of people hangs where there are millions.
    case novu2813 = "novuhq/novu#2813"
    /// The list of people hangs where there are millions.
    case novu2099 = "novuhq/novu#2099"
    /// Counting reads the whole table.
    case flarum4507 = "flarum/framework#4507"
    /// Marking one message read takes longer with more messages.
    case peerTube6392 = "Chocobozzz/PeerTube#6392"
    /// Marking all read is one query per message.
    case laravel14788 = "laravel/framework#14788"
    /// A search for unread messages reads the whole table.
    case djangoNotifications153 = "django-notifications/django-notifications#153"
}
