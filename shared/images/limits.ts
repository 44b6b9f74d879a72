/** The most bytes of an upload. */
export const MAX_BYTES = 20 * 1024 * 1024

/** The most pixels of an image. A small file can contain many; decoding this many takes 200 MB. */
export const MAX_PIXELS = 50_000_000
