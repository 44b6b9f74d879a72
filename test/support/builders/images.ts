import sharp from 'sharp'
import { createImage } from '#shared/images/create-image.ts'
import type { Image } from '#shared/images/image.ts'
import { readHeader } from '#shared/images/read-header.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'

interface Picture {
  width?: number
  height?: number
  format?: 'jpeg' | 'png' | 'webp' | 'avif'
}

/** An encoded picture of one color. */
export const drawPicture = ({ width = 640, height = 480, format = 'jpeg' }: Picture = {}): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#c84' } })
    .toFormat(format)
    .toBuffer()

/** An uploaded image whose files no worker has made. */
export async function buildImage(store: { id: string }, given: Picture = {}): Promise<Image> {
  const bytes = await drawPicture(given)
  return inStore(store.id, (tx) => createImage(tx, readHeader(bytes), bytes))
}

/** An AVIF whose only image has its frame many times (AV1 specification, section 5.3: an OBU has its type and size). */
export function repeatFrame(avif: Buffer, times: number): Buffer {
  const start = avif.indexOf('mdat') + 4
  const [content, head] = [avif.subarray(start), Buffer.from(avif.subarray(0, start))]
  const frame = lastUnitOf(content)
  const repeated = Buffer.concat([content, ...Array.from({ length: times - 1 }, () => frame)])
  head.writeUInt32BE(repeated.length + 8, start - 8)
  // The place of the image in the file ends with its length.
  const place = Buffer.alloc(8)
  place.writeUInt32BE(content.length, 4)
  head.writeUInt32BE(repeated.length, head.indexOf(place, head.indexOf('iloc')) + 4)
  return Buffer.concat([head, repeated])
}

function lastUnitOf(content: Buffer): Buffer {
  for (let at = 0; ; ) {
    let [size, next] = [0, at + 1]
    for (let shift = 0; ; shift += 7) {
      const byte = content.readUInt8(next)
      next += 1
      size |= (byte & 0x7f) << shift
      if (byte < 0x80) break
    }
    if (next + size >= content.length) return content.subarray(at)
    at = next + size
  }
}
