import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import sharp from 'sharp'
import { MAX_AVIF_PIXELS, MAX_PIXELS } from '#shared/images/limits.ts'
import { readHeader } from '#shared/images/read-header.ts'
import { drawPicture } from '#test/support/builders/images.ts'

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
    assert.throws(() => readHeader(size), {
      code: 'image.too_many_pixels',
      message: 'The image has more than 50 million pixels. Send a smaller one.',
    })
})

test('an AVIF of more than 25 million pixels is refused, because its decoder holds it whole', async () => {
  const avif = await drawPicture({ format: 'avif' })
  const claim = (height: number) => {
    const bytes = Buffer.from(avif)
    const size = bytes.indexOf('ispe') + 8
    bytes.writeUInt32BE(MAX_AVIF_PIXELS / 1_000, size)
    bytes.writeUInt32BE(height, size + 4)
    return bytes
  }

  assert.equal(readHeader(claim(1_000)).height, 1_000)
  assert.throws(() => readHeader(claim(1_001)), {
    code: 'image.too_many_pixels',
    message: 'The image has more than 25 million pixels. Send a smaller one.',
  })
})

test('an image without a size is refused', () => {
  for (const bytes of [claiming(0, 10), Buffer.from('\xff\xd8\xff', 'latin1')])
    assert.throws(() => readHeader(bytes), { code: 'image.unreadable' })
})

/** A box of an AVIF. */
function boxOf(kind: string, ...content: Buffer[]): Buffer {
  const inside = Buffer.concat(content)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + inside.length)
  head.write(kind, 4, 'latin1')
  return Buffer.concat([head, inside])
}

/** An AVIF with `images` images of one pixel and one of this size. */
function avifOf(images: number, width: number, height: number): Buffer {
  const sizeOf = (...size: [number, number]) => {
    const content = Buffer.alloc(12)
    content.writeUInt32BE(size[0], 4)
    content.writeUInt32BE(size[1], 8)
    return boxOf('ispe', content)
  }
  const sizes = [...Array.from({ length: images }, () => sizeOf(1, 1)), sizeOf(width, height)]
  const properties = boxOf('iprp', boxOf('ipco', ...sizes))
  return Buffer.concat([
    boxOf('ftyp', Buffer.from('avif\0\0\0\0', 'latin1')),
    boxOf('meta', Buffer.alloc(4), properties),
  ])
}

test('the largest image in an AVIF counts, and each box is read once', (t) => {
  const reads = t.mock.method(Buffer.prototype, 'readUInt32BE')

  const { width, height } = readHeader(avifOf(5_000, 61, 43))

  assert.deepEqual({ width, height }, { width: 61, height: 43 })
  assert.ok(reads.mock.callCount() < 5 * 5_000, `${reads.mock.callCount()} reads`)
})

test('an AVIF of very many boxes and a JPEG without marks are refused', () => {
  const jpeg = Buffer.concat([Buffer.from('\xff\xd8\xff', 'latin1'), Buffer.alloc(20 * 1_024 * 1_024)])

  for (const bytes of [avifOf(100_000, 1, 1), jpeg])
    assert.throws(() => readHeader(bytes), { code: 'image.unreadable' })
})

test('a JPEG is read with damaged EXIF, fill bytes and bytes between its segments', async () => {
  const picture = await drawPicture({ width: 61, height: 43 })
  const exif = Buffer.from('\xff\xe1\0\x10Exif\0\0II*\0\xff\xff\0\0', 'latin1')
  const filled = Buffer.concat([picture.subarray(0, 2), exif, Buffer.from([0, 1, 0xff]), picture.subarray(2)])

  assert.partialDeepStrictEqual(readHeader(filled), { width: 61, height: 43 })
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
