import sharp from 'sharp'
import { type ImageFile, SIZES } from '#shared/images/files.ts'
import { MAX_PIXELS } from '#shared/images/limits.ts'
import type { ContentType } from '#shared/images/read-header.ts'
import { semaphore } from '#shared/platform/throttle/semaphore.ts'

/** Sharp's name of each format. */
const FORMATS: Record<ContentType, string> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/avif': 'heif',
}
const TIMEOUT_SECONDS = 30
const QUALITY = 82

// No other decoder of libvips sees an upload: an SVG or a PDF could read files and addresses.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadHeif'],
})
// The worker runs other jobs beside it, and no image is made twice.
sharp.concurrency(1)
sharp.cache(false)

// A large image takes hundreds of megabytes.
const withPermit = semaphore({ permits: 1, maxWaiting: 100 })

/** An image that cannot be decoded. */
export class UndecodableImage extends Error {}

/** A file with its bytes. */
export type MadeFile = ImageFile & { content: Buffer }

/**
 * Makes the files of an image, smallest first: every size below the image's own, and one of its own or the largest
 * size. They are upright and without metadata. Stores take turns, one image each. Throws `UndecodableImage`.
 */
export const makeFiles = (
  bytes: Buffer,
  { contentType, storeId }: { contentType: ContentType; storeId: string },
): Promise<MadeFile[]> => withPermit(() => decode(bytes, contentType), storeId)

async function decode(bytes: Buffer, contentType: ContentType): Promise<MadeFile[]> {
  try {
    const { format, autoOrient } = await open(bytes).metadata()
    if (format !== FORMATS[contentType]) throw new UndecodableImage(`The content is ${format}`)
    const longest = Math.max(autoOrient.width, autoOrient.height)
    const sizes = SIZES.filter((_, at) => at === 0 || (SIZES[at - 1] ?? 0) < longest)
    const files: MadeFile[] = []
    for (const size of sizes) files.push(await makeFile(bytes, size))
    return files
  } catch (error) {
    throw error instanceof UndecodableImage ? error : new UndecodableImage((error as Error).message)
  }
}

async function makeFile(bytes: Buffer, size: ImageFile['size']): Promise<MadeFile> {
  const { data, info } = await open(bytes)
    .autoOrient()
    .resize(size, size, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: QUALITY })
    .timeout({ seconds: TIMEOUT_SECONDS })
    .toBuffer({ resolveWithObject: true })
  return { size, width: info.width, height: info.height, bytes: info.size, content: data }
}

const open = (bytes: Buffer) =>
  sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true, pages: 1 })
