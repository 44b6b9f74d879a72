import { config } from '#shared/platform/config/config.ts'
import type { Image } from './image.ts'
import { SIZES, type Size } from './size.ts'

/** The format of all files. Every browser shows it, and of the formats that are made quickly it is the smallest. */
export const FILE_TYPE = 'image/webp'

/** Files never change, because a new image has a new name. */
export const CACHE_CONTROL = 'public, max-age=31536000, immutable'

/** Returns the key of a file in the folder or bucket. The name of its image is random and cannot be guessed. */
export const keyOf = (name: string, size: Size): string => `${name}/${size}.webp`

/** Returns the keys of all possible files of an image. */
export const allKeysOf = (name: string): string[] => SIZES.map((size) => keyOf(name, size))

/** Returns the keys of the files of an image. Until it is ready, any of them may have been saved. */
export const keysOf = ({ name, status, files }: Pick<Image, 'name' | 'status' | 'files'>): string[] =>
  status === 'ready' ? files.map(({ size }) => keyOf(name, size)) : allKeysOf(name)

/** The path at which a web process serves the files of the folder. */
export const FOLDER_PATH = '/images'

/** Returns the public URL of a file. */
export function urlOf(name: string, size: Size): string {
  const { IMAGES_URL, PUBLIC_URL } = config()
  const base = IMAGES_URL ?? `${PUBLIC_URL.replace(/\/$/, '')}${FOLDER_PATH}`
  return `${base.replace(/\/$/, '')}/${keyOf(name, size)}`
}
