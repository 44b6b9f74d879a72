import { CONTENT_TYPES, type ContentType, maxPixelsOf } from './content-type.ts'
import { ImageErrors } from './errors.ts'
import { type ReadSize, readAvifSize, readFixedSize, readJpegSize } from './size-readers.ts'

export interface ImageHeader {
  contentType: ContentType
  width: number
  height: number
}

// These orientations swap width and height (EXIF, tag 0x0112).
const TURNED = new Set([5, 6, 7, 8])

/**
 * Reads the format and size of an image from its first bytes, before anything decodes its pixels. It ignores the type
 * that the client claims. Throws `image.unsupported_format`, `image.unreadable` and `image.too_many_pixels`.
 */
export function readHeader(bytes: Buffer): ImageHeader {
  const format = formatOf(bytes)
  if (!format) throw ImageErrors.unsupportedFormat()
  const { width, height, orientation = 1 } = readSize(bytes, format)
  if (!(width > 0 && height > 0)) throw ImageErrors.unreadable()
  const contentType = CONTENT_TYPES[format]
  const most = maxPixelsOf(contentType)
  if (width * height > most) throw ImageErrors.tooManyPixels({ million: most / 1_000_000 })
  return TURNED.has(orientation)
    ? { contentType, width: height, height: width }
    : { contentType, width, height }
}

const startsWith = (bytes: Buffer, signature: string, at = 0): boolean =>
  bytes.subarray(at, at + signature.length).toString('latin1') === signature

type Format = keyof typeof CONTENT_TYPES

/** Returns the format by its signature; undefined for any other than these four. */
function formatOf(bytes: Buffer): Format | undefined {
  if (startsWith(bytes, '\xff\xd8\xff')) return 'jpg'
  if (startsWith(bytes, '\x89PNG\r\n\x1a\n')) return 'png'
  if (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8)) return 'webp'
  if (startsWith(bytes, 'ftyp', 4) && /^avi[fs]/.test(bytes.toString('latin1', 8, 12))) return 'avif'
  return undefined
}

const READERS: Record<Format, (bytes: Buffer) => ReadSize> = {
  jpg: readJpegSize,
  png: readFixedSize,
  webp: readFixedSize,
  avif: readAvifSize,
}

function readSize(bytes: Buffer, format: Format): ReadSize {
  try {
    return READERS[format](bytes)
  } catch {
    throw ImageErrors.unreadable()
  }
}
