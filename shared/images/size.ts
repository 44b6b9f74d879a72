/** The sizes of an image's files. Each file fits a square with this many pixels on a side. */
export const SIZES = [200, 400, 800, 1_600, 2_560] as const
export type Size = (typeof SIZES)[number]

/** One file of an image. */
export interface ImageFile {
  size: Size
  width: number
  height: number
  bytes: number
}
