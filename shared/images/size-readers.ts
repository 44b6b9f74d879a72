import { imageSize } from 'image-size'

/*
 * image-size can take minutes for a hostile upload of 20 MB: it reads a JPEG without markers byte by byte, and an AVIF
 * from each of its boxes to its end. Therefore only PNG and WebP, whose size is at a fixed position, use image-size.
 * The readers of JPEG and AVIF in this file read each byte and box at most once, and throw `RangeError` past the end of
 * a damaged file.
 */

export interface ReadSize {
  width: number
  height: number
  /** The orientation of the image (EXIF, tag 0x0112). */
  orientation?: number
}

const START_BYTES = 1_024

/** Reads the size of a PNG or a WebP. Throws for a damaged one. */
export const readFixedSize = (bytes: Buffer): ReadSize => imageSize(bytes.subarray(0, START_BYTES))

const START_OF_SCAN = 0xda
const APP1 = 0xe1
// The markers of frames (ITU-T T.81, table B.1). C4, C8 and CC mark something else.
const isFrame = (code: number): boolean => code >= 0xc0 && code <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(code)
const hasNoLength = (code: number): boolean => code === 0x01 || (code >= 0xd0 && code <= 0xd9)

/** The size follows the metadata, which is much smaller than this. */
const JPEG_START_BYTES = 8 * 1_024 * 1_024

/** The most segments before the size. A photo has about twenty, and a profile of colors up to 255. */
const MAX_SEGMENTS = 10_000

/** Reads the size and the orientation of a JPEG. Throws for a damaged one. */
export function readJpegSize(file: Buffer): ReadSize {
  const bytes = file.subarray(0, JPEG_START_BYTES)
  let orientation: number | undefined
  for (let at = 2, segments = 0; ; segments++) {
    if (segments > MAX_SEGMENTS) throw new Error('It has too many segments')
    // Skip bytes before the next marker, as decoders do. A marker is 0xff and a code.
    at = bytes.indexOf(0xff, at)
    if (at < 0) throw new Error('The size is missing')
    while (bytes.readUInt8(at) === 0xff) at += 1
    const code = bytes.readUInt8(at)
    at += 1
    if (hasNoLength(code)) continue
    if (isFrame(code)) {
      const size = { height: bytes.readUInt16BE(at + 3), width: bytes.readUInt16BE(at + 5) }
      return orientation === undefined ? size : { ...size, orientation }
    }
    const length = bytes.readUInt16BE(at)
    if (code === START_OF_SCAN || length < 2) throw new Error('The size is missing')
    if (code === APP1 && orientation === undefined && isExif(bytes, at))
      orientation = readOrientation(bytes.subarray(at + 8, at + length))
    at += length
  }
}

/** Whether the four bytes after the length of the segment are `Exif`. */
const isExif = (bytes: Buffer, at: number): boolean => bytes.readUInt32BE(at + 2) === 0x45786966

const ORIENTATION = 0x0112
const ENTRY_BYTES = 12

/**
 * Reads the orientation in the first directory of a TIFF, which may be damaged. Returns 1 (upright) if there is none.
 */
function readOrientation(tiff: Buffer): number {
  if (tiff.length < 8) return 1
  const isLittle = tiff.readUInt16BE(0) === 0x4949
  const uint16 = (at: number): number => {
    if (at + 2 > tiff.length) return 0
    return isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at)
  }
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  const entries = uint16(directory)
  for (let entry = 0; entry < entries; entry++) {
    const at = directory + 2 + entry * ENTRY_BYTES
    if (uint16(at) === ORIENTATION) return uint16(at + 8)
  }
  return 1
}

/** The content of a box of an AVIF (ISO 14496-12, section 4.2). */
interface Box {
  from: number
  to: number
}

/** The most boxes at a level. An AVIF has about ten. */
const MAX_BOXES = 10_000

const codeOf = (name: string): number => Buffer.from(name, 'latin1').readUInt32BE()

/** Yields the boxes of a kind in the consecutive boxes between two positions. */
function* boxesOf(bytes: Buffer, kind: string, { from, to }: Box): Generator<Box> {
  const code = codeOf(kind)
  let boxes = 0
  for (let at = from; at + 8 <= to; ) {
    boxes += 1
    if (boxes > MAX_BOXES) throw new Error('It has too many boxes')
    const { length, head } = lengthAt(bytes, at, to)
    if (length < head || at + length > to) throw new Error('A box is longer than its container')
    if (bytes.readUInt32BE(at + 4) === code) yield { from: at + head, to: at + length }
    at += length
  }
}

/**
 * Returns the bytes of a box, and of its head. A stored length of 1 means that the length follows in 64 bits; 0 means
 * that the box ends with its container.
 */
function lengthAt(bytes: Buffer, at: number, to: number): { length: number; head: number } {
  const length = bytes.readUInt32BE(at)
  if (length === 1)
    return { length: bytes.readUInt32BE(at + 8) * 2 ** 32 + bytes.readUInt32BE(at + 12), head: 16 }
  return { length: length === 0 ? to - at : length, head: 8 }
}

function firstBox(bytes: Buffer, kind: string, within: Box): Box {
  const { value } = boxesOf(bytes, kind, within).next()
  if (!value) throw new Error(`The box ${kind} is missing`)
  return value
}

/** A version and flags precede the content of some boxes. */
const VERSION_BYTES = 4

/**
 * Reads the size of an AVIF. It is the size of its largest image, because the others may be tiles. Throws for a damaged
 * file.
 */
export function readAvifSize(bytes: Buffer): ReadSize {
  const meta = firstBox(bytes, 'meta', { from: 0, to: bytes.length })
  const properties = firstBox(bytes, 'iprp', { ...meta, from: meta.from + VERSION_BYTES })
  let largest: ReadSize = { width: 0, height: 0 }
  for (const { from } of boxesOf(bytes, 'ispe', firstBox(bytes, 'ipco', properties))) {
    const size = { width: bytes.readUInt32BE(from + 4), height: bytes.readUInt32BE(from + 8) }
    if (size.width * size.height > largest.width * largest.height) largest = size
  }
  return largest
}
