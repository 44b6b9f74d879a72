import { MAX_AVIF_PIXELS, MAX_PIXELS } from './limits.ts'

/** The media types of uploads, by the name of their format. */
export const CONTENT_TYPES = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
} as const

export type ContentType = (typeof CONTENT_TYPES)[keyof typeof CONTENT_TYPES]

/** Returns the most pixels of an image of this type. */
export const maxPixelsOf = (contentType: ContentType): number =>
  contentType === 'image/avif' ? MAX_AVIF_PIXELS : MAX_PIXELS
