import Foundation
import Groundwork
import Testing

@Suite(.timeLimit(.minutes(5))) struct PictureAddressTests {
    @Test(
        arguments: [
            "https://cdn.example.com/a.png", "http://cdn.example.com:8080/a.png?b=c", "https://a.co/",
            "https://8.8.8.8/a", "https://[2606:4700::1111]/a", "https://172.32.0.1/a", "https://100.128.0.1/a",
            "https://11.0.0.1/a",
            "https://localhost.example.com/a", "https://my_cdn.example.com/a", "https://1.example/a",
        ]
    )
    func `a picture on the public web is fetched`(address: String) {
        #expect(PictureAddress.url(address)?.absoluteString == address)
    }

    @Test(
        arguments: [
            // This machine and its networks, in every spelling.
            "http://127.0.0.1/a", "http://127.1/a", "http://0x7f.1/a", "http://2130706433/a", "http://017700000001/a",
            "http://127.0.0.1./a", "http://0/a", "http://10.0.0.1/a", "http://172.16.0.1/a", "http://172.31.255.255/a",
            "http://192.168.1.1/a", "http://169.254.169.254/latest", "http://100.64.0.1/a", "http://198.18.0.1/a",
            "http://224.0.0.1/a", "http://255.255.255.255/a", "http://[::1]/a", "http://[::]/a", "http://[fe80::1]/a",
            "http://[fd00::1]/a", "http://[::ffff:127.0.0.1]/a", "http://[::ffff:8.8.8.8]/a",
            "http://[64:ff9b::7f00:1]/a", "http://[2002:7f00:1::]/a", "http://[2001::1]/a", "http://[ff02::1]/a",
            // Names of a machine or a local network.
            "http://localhost/a", "http://LOCALHOST/a", "http://a.localhost/a", "http://printer/a", "http://printer./a",
            "http://printer.local/a", "http://a.internal/a", "http://router.lan/a", "http://a.home.arpa/a",
            "http://a.onion/a",
            // What no address is.
            "http://256.0.0.1/a", "http://1.2.3.4.5/a", "http://08.1.1.1/a", "http://a.0x7f/a", "http:///a",
            // Other schemes, and names with passwords.
            "ftp://cdn.example.com/a", "file:///etc/passwd", "data:image/png;base64,AAAA", "app://cdn.example.com/a",
            "https://user@cdn.example.com/a", "https://user:secret@cdn.example.com/a", "//cdn.example.com/a",
            "a.png", "",
        ]
    )
    func `a picture elsewhere isn't fetched`(address: String) {
        #expect(PictureAddress.url(address) == nil)
    }

    @Test func `an address has up to 8192 bytes`() {
        let start = "https://cdn.example.com/"
        let longest = start + String(repeating: "a", count: PictureAddress.maxLength - start.utf8.count)
        #expect(PictureAddress.url(longest) != nil)
        #expect(PictureAddress.url(longest + "a") == nil)
    }

    @Test func `a host is read as an address in every spelling`() {
        let loopback = IPAddress("127.0.0.1")
        for host in ["127.0.0.1", "127.1", "127.0.1", "0x7F000001", "2130706433", "0177.0.0.01", "127.0.0.1."] {
            #expect(IPAddress(host: host) == loopback, "\(host)")
        }
        #expect(IPAddress(host: "[::1]") == IPAddress(host: "0:0:0:0:0:0:0:1"))
        for host in ["example.com", "1.2.3.4.5", "256.1.1.1", "1.2.3.256", "4294967296", "a", "", "[::1", "1..2"] {
            #expect(IPAddress(host: host) == nil, "\(host)")
        }
    }

    @Test func `a host whose last part is a number is no name`() {
        for host in ["127.1", "0", "0x7f.1", "1.2.3.4.5", "256.1.1.1", "08", "a.1", "a.0x7F", "a.1.", "0x"] {
            #expect(IPAddress.isNumeric(host: host), "\(host)")
        }
        for host in ["example.com", "1.example", "a.0xyz", "1a", "", ".", "1..", "[::1]"] {
            #expect(!IPAddress.isNumeric(host: host), "\(host)")
        }
    }

    @Test func `names of this machine end in localhost`() {
        for host in ["localhost", "LOCALHOST.", "a.localhost", "a.b.localhost."] {
            #expect(Loopback.isLocalName(host), "\(host)")
        }
        for host in ["localhost.example", "mylocalhost", "", "127.0.0.1"] {
            #expect(!Loopback.isLocalName(host), "\(host)")
        }
    }
}
