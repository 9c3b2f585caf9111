import Groundwork
import Testing

@Suite(.timeLimit(.minutes(5))) struct PictureTypeTests {
    @Test(
        arguments: [
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png), ([0x89, 0x50, 0x4E, 0x47], nil),
            (Array("GIF87a..".utf8), .gif), (Array("GIF89a..".utf8), .gif), (Array("GIF88a..".utf8), nil),
            ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg), ([0xFF, 0xD8], nil),
            (Array("RIFF....WEBPVP8 ".utf8), .webp), (Array("RIFF....WAVEfmt ".utf8), nil),
            (Array("....ftypavif".utf8), .avif), (Array("....ftypavis".utf8), .avif),
            (Array("....ftypmp42".utf8), nil), (Array("BM".utf8), .bmp),
            (Array("<svg xmlns='http://www.w3.org/2000/svg'>".utf8), nil), (Array("<?xml ".utf8), nil),
            (Array("<html>".utf8), nil), ([], nil),
        ] as [([UInt8], PictureType?)]
    )
    func `a picture's type is that of its first bytes`(bytes: [UInt8], type: PictureType?) {
        #expect(PictureType(of: bytes) == type)
    }
}
