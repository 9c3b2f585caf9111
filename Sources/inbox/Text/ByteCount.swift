import Foundation

/// File sizes as short text: `950 B`, `12 KB`, `3.4 MB`, in powers of 1,000.
enum ByteCount {
    static func text(_ bytes: Int) -> String {
        guard bytes >= 1_000 else { return "\(bytes) B" }
        var amount = Double(bytes) / 1_000
        for unit in ["KB", "MB", "GB"] {
            if amount < 9.95 { return String(format: "%.1f \(unit)", amount) }
            if amount < 999.5 { return String(format: "%.0f \(unit)", amount) }
            amount /= 1_000
        }
        return String(format: "%.1f TB", amount)
    }
}
