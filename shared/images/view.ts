import { type Static, Type } from 'typebox'
import { toText, toTimestamp } from '#shared/platform/http/response-values.ts'
import { Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { CONTENT_TYPES } from './content-type.ts'
import { urlOf } from './files.ts'
import type { Image } from './image.ts'
import type { ImageFile } from './size.ts'
import { IMAGE_STATUSES } from './states.ts'

export const ImageFileView = Shape({
  url: Type.String(),
  width: Type.Integer(),
  height: Type.Integer(),
  bytes: Type.Integer(),
})

export const ImageStatusView = Type.Enum([...IMAGE_STATUSES], {
  description: 'processing: a worker makes the files; failed: it cannot, see `failure_reason`',
})

export const ImageView = Shape({
  id: Uuid,
  status: ImageStatusView,
  url: Type.String({
    description: 'The largest file, to use as the `url` of an image of a product; "" until ready',
  }),
  variants: Type.Array(ImageFileView, {
    description: 'All files, smallest first: WebP without metadata, turned upright',
  }),
  content_type: Type.Enum(Object.values(CONTENT_TYPES), { description: 'Of the upload, by its content' }),
  bytes: Type.Integer({ description: 'Of the upload' }),
  width: Type.Integer({ description: 'Of the upload, turned upright' }),
  height: Type.Integer(),
  failure_reason: Type.String(),
  created_at: Timestamp,
  updated_at: Timestamp,
})

export function viewImage(image: Image): Static<typeof ImageView> {
  const variants = image.files.map((file) => viewFile(image, file))
  return {
    id: image.id,
    status: image.status,
    url: variants.at(-1)?.url ?? '',
    variants,
    content_type: image.contentType,
    bytes: image.bytes,
    width: image.width,
    height: image.height,
    failure_reason: toText(image.failureReason),
    created_at: toTimestamp(image.createdAt),
    updated_at: toTimestamp(image.updatedAt),
  }
}

const viewFile = ({ name }: Image, { size, ...file }: ImageFile): Static<typeof ImageFileView> => ({
  url: urlOf(name, size),
  ...file,
})
