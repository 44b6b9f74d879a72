import { defineErrors } from '#shared/platform/errors.ts'

export const ImageErrors = defineErrors({
  unsupportedFormat: {
    code: 'image.unsupported_format',
    status: 422,
    message: 'The file is not an image of a supported format. Send a JPEG, PNG, WebP or AVIF.',
  },
  unreadable: {
    code: 'image.unreadable',
    status: 422,
    message: 'The image cannot be decoded. Export it again and upload it.',
  },
  tooCostly: {
    code: 'image.too_costly',
    status: 422,
    message: 'Decoding the image takes too much time or memory. Send it with fewer pixels, or as a JPEG.',
  },
  quotaExceeded: {
    code: 'image.quota_exceeded',
    status: 409,
    message: ({ stored, most }: { stored: number; most: number }) =>
      `The images of the store take ${stored} MB of ${most} MB. Delete images that are not used any more, or send a ` +
      'smaller ' +
      'file. The operator of the service can raise the limit.',
  },
  tooManyPixels: {
    code: 'image.too_many_pixels',
    status: 422,
    message: ({ million }: { million: number }) =>
      `The image has more than ${million} million pixels. Send a smaller one.`,
  },
})
