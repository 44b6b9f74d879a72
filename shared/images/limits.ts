/** Bytes of an upload. */
export const MAX_BYTES = 20 * 1024 * 1024

/** Pixels of an image. A small file can claim many: decoding this many takes 200 MB. */
export const MAX_PIXELS = 50_000_000
