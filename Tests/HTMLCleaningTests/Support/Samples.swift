import HTMLCleaning
import HTMLInputs

extension Sample {
    /// A cleaner that keeps what the samples have of their apps: schemes, actions and close buttons.
    static func cleaner(_ medium: HTMLMedium = HTMLMedium()) -> HTMLCleaner {
        HTMLCleaner(
            .init(
                linkSchemes: ["http", "https", "mailto", "tel", "shopapp", "stepsapp"],
                readsActions: true,
                closeButtons: .linked(to: "shopapp://close", addsDefault: false),
                medium: medium
            )
        )
    }
}
