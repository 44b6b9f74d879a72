import sharp from 'sharp'
import { type ImageFile, SIZES } from '#shared/images/files.ts'
import { MAX_PIXELS } from '#shared/images/limits.ts'
import type { ContentType } from '#shared/images/read-header.ts'

// Only `image-process.ts` may import this file: workers must not decode images in their own process.

/** Sharp's name of each format. */
const FORMATS: Record<ContentType, string> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/avif': 'heif',
}
const QUALITY = 82

// Block all other decoders of libvips: an SVG or PDF could read files and URLs.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadHeif'],
})
// Use one thread, because the worker runs other jobs. Use no cache, because each image is made once.
sharp.concurrency(1)
sharp.cache(false)

/** A file with its bytes. */
export type MadeFile = ImageFile & { content: Buffer }

/**
 * Creates the files of an image, smallest first: each size below the image's own, and one in its own or the largest
 * size. They are upright and without metadata. Throws for an image that cannot be decoded.
 */
export async function decodeImage(bytes: Buffer, contentType: ContentType): Promise<MadeFile[]> {
  const { format, autoOrient } = await open(bytes).metadata()
  if (format !== FORMATS[contentType]) throw new Error(`The content is ${format}`)
  const longest = Math.max(autoOrient.width, autoOrient.height)
  const sizes = SIZES.filter((_, at) => at === 0 || (SIZES[at - 1] ?? 0) < longest)
  const files: MadeFile[] = []
  for (const size of sizes) files.push(await makeFile(bytes, size))
  return files
}

async function makeFile(bytes: Buffer, size: ImageFile['size']): Promise<MadeFile> {
  const { data, info } = await open(bytes)
    .autoOrient()
    .resize(size, size, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: QUALITY })
    .toBuffer({ resolveWithObject: true })
  return { size, width: info.width, height: info.height, bytes: info.size, content: data }
}

const open = (bytes: Buffer) =>
  sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true, pages: 1 })
