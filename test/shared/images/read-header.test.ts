import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import sharp from 'sharp'
import { MAX_PIXELS } from '#shared/images/limits.ts'
import { readHeader } from '#shared/images/read-header.ts'
import { drawPicture } from '#test/support/build-images.ts'

const FORMATS = ['jpeg', 'png', 'webp', 'avif'] as const

for (const format of FORMATS)
  test(`the type and size of a ${format} are read from its content`, async () => {
    const bytes = await drawPicture({ width: 61, height: 43, format })

    assert.deepEqual(readHeader(bytes), { contentType: `image/${format}`, width: 61, height: 43 })
  })

test('the size is that of the upright image', async () => {
  const turned = await sharp(await drawPicture({ width: 61, height: 43 }))
    .withMetadata({ orientation: 6 })
    .toBuffer()

  assert.partialDeepStrictEqual(readHeader(turned), { width: 43, height: 61 })
})

for (const [name, text] of Object.entries({
  'an SVG': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'an SVG with an XML declaration': '<?xml version="1.0"?><svg/>',
  'a HTML document': '<!doctype html><script>hit()</script>',
  'a GIF': 'GIF89a\x01\0\x01\0\0\0\0',
  'a PDF': '%PDF-1.7',
  'a TIFF': 'II*\0',
  'an MP4 video': '\0\0\0\x18ftypmp42',
  'a HEIC': '\0\0\0\x18ftypheic',
  nothing: '',
}))
  test(`${name} is refused`, () => {
    assert.throws(() => readHeader(Buffer.from(text, 'latin1')), { code: 'image.unsupported_format' })
  })

/** A PNG's header that claims a size. */
function claiming(width: number, height: number): Buffer {
  const header = Buffer.alloc(33)
  header.write('\x89PNG\r\n\x1a\n', 'latin1')
  header.writeUInt32BE(13, 8)
  header.write('IHDR', 12, 'latin1')
  header.writeUInt32BE(width, 16)
  header.writeUInt32BE(height, 20)
  return header
}

test('an image that claims too many pixels is refused before it is decoded', () => {
  assert.equal(readHeader(claiming(MAX_PIXELS / 1_000, 1_000)).height, 1_000)
  for (const size of [claiming(MAX_PIXELS / 1_000, 1_001), claiming(0xffffffff, 0xffffffff)])
    assert.throws(() => readHeader(size), { code: 'image.too_many_pixels' })
})

test('an image without a size is refused', () => {
  for (const bytes of [claiming(0, 10), Buffer.from('\xff\xd8\xff', 'latin1')])
    assert.throws(() => readHeader(bytes), { code: 'image.unreadable' })
})

test('a damaged image is read or refused, and never hangs', async () => {
  const pictures = await Promise.all(FORMATS.map((format) => drawPicture({ width: 61, height: 43, format })))
  const damaged = fc
    .tuple(
      fc.constantFrom(...pictures),
      fc.array(fc.tuple(fc.nat(300), fc.nat(255)), { maxLength: 6 }),
      fc.nat(2_000),
    )
    .map(([picture, changes, length]) => {
      const bytes = Buffer.from(picture.subarray(0, 12 + length))
      for (const [at, value] of changes) if (12 + at < bytes.length) bytes[12 + at] = value
      return bytes
    })
  const CODES = ['image.unreadable', 'image.unsupported_format', 'image.too_many_pixels']

  fc.assert(
    fc.property(damaged, (bytes) => {
      try {
        const { width, height } = readHeader(bytes)
        assert.ok(width * height <= MAX_PIXELS)
      } catch (error) {
        assert.ok(CODES.includes((error as { code: string }).code), String(error))
      }
    }),
    { numRuns: 3_000 },
  )
})
