/// Files whose change somebody waits for.
struct SignalledFiles: ReloadedFiles {
    let files: any ReloadedFiles
    let changed: WakeUp

    var name: String { files.name }

    func reload() async throws -> Bool {
        guard try await files.reload() else { return false }
        changed.signal()
        return true
    }
}
