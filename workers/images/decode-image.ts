import sharp, { type Sharp } from 'sharp'
import { type ContentType, maxPixelsOf } from '#shared/images/content-type.ts'
import { type ImageFile, SIZES, type Size } from '#shared/images/size.ts'

// Only `image-process.ts` may import this file: workers must not decode images in their own process. That process
// starts for each image, so it imports nothing but sharp and constants.

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
  const image = open(bytes, contentType)
  const { format, autoOrient } = await image.metadata()
  if (format !== FORMATS[contentType]) throw new Error(`The content is ${format}`)
  const longest = Math.max(autoOrient.width, autoOrient.height)
  const sizes = SIZES.filter((_, at) => at === 0 || (SIZES[at - 1] ?? 0) < longest)
  const pixels = await readPixels(image, sizes.at(-1) ?? SIZES[0])
  const files: MadeFile[] = []
  for (const size of sizes) files.push(await makeFile(pixels, size))
  return files
}

/** The pixels of an image, each of `channels` bytes. */
interface Pixels {
  data: Buffer
  raw: { width: number; height: number; channels: 1 | 2 | 3 | 4 }
}

/** Decodes an image once, to the largest size of its files. Decoding costs more than making a file of the pixels. */
async function readPixels(image: Sharp, size: Size): Promise<Pixels> {
  const { data, info } = await fitInside(image.autoOrient(), size).raw().toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  return { data, raw: { width, height, channels } }
}

async function makeFile({ data, raw }: Pixels, size: Size): Promise<MadeFile> {
  const { data: content, info } = await fitInside(sharp(data, { raw }), size)
    .webp({ quality: QUALITY })
    .toBuffer({ resolveWithObject: true })
  return { size, width: info.width, height: info.height, bytes: info.size, content }
}

const fitInside = (image: Sharp, size: Size): Sharp =>
  image.resize(size, size, { fit: 'inside', withoutEnlargement: true })

const open = (bytes: Buffer, contentType: ContentType): Sharp =>
  sharp(bytes, {
    limitInputPixels: maxPixelsOf(contentType),
    failOn: 'error',
    sequentialRead: true,
    pages: 1,
  })
