/** The most bytes of an upload. */
export const MAX_BYTES = 20 * 1024 * 1024

/** The most pixels of an image. A small file can contain many. */
export const MAX_PIXELS = 50_000_000

/**
 * The most pixels of an AVIF. Its decoder holds the whole image more than once, up to 25 bytes per pixel. Decoders of
 * other formats hold a few lines.
 */
export const MAX_AVIF_PIXELS = 25_000_000

/** The most memory of the process that decodes an image, in bytes. */
export const MAX_DECODER_BYTES = 700 * 1024 * 1024
