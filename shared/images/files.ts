import { config } from '#shared/platform/config/config.ts'

/** The files of an image: each fits a square of this many pixels. The largest is the image itself, made smaller. */
export const SIZES = [200, 400, 800, 1_600, 2_560] as const
export type Size = (typeof SIZES)[number]

/** The format of all files: every browser shows it, and it is the smallest that is made quickly. */
export const FILE_TYPE = 'image/webp'

/** One file of an image. */
export interface ImageFile {
  size: Size
  width: number
  height: number
  bytes: number
}

/** The files never change: a new image has a new name. */
export const CACHE_CONTROL = 'public, max-age=31536000, immutable'

/** Where a file is in the folder or bucket. The name of its image is random and cannot be guessed. */
export const keyOf = (name: string, size: Size): string => `${name}/${size}.webp`

/** The keys that an image can have. */
export const allKeysOf = (name: string): string[] => SIZES.map((size) => keyOf(name, size))

/** The path at which a web process serves the files of the folder. */
export const FOLDER_PATH = '/images'

/** The public URL of a file. */
export function urlOf(name: string, size: Size): string {
  const { IMAGES_URL, PUBLIC_URL } = config()
  const base = IMAGES_URL ?? `${PUBLIC_URL.replace(/\/$/, '')}${FOLDER_PATH}`
  return `${base.replace(/\/$/, '')}/${keyOf(name, size)}`
}
