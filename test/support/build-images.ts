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
