import { Type } from 'typebox'
import { type FilterOf, List } from '#shared/platform/db/list.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Image } from './image.ts'
import { ImageStatusView } from './view.ts'

export const IMAGES = new List({
  sorts: { created_at: 'created_at', updated_at: 'updated_at', bytes: 'bytes' },
  order: '-created_at',
  searches: 'A URL of a file',
  filters: {
    status: Type.Optional(ImageStatusView),
  },
})

export type ImageFilter = FilterOf<typeof IMAGES>

/** Returns one page of the matching images, and their number. */
export function listImages(tx: StoreTx, { status, ...filter }: ImageFilter) {
  const query = Image.in(tx)
  if (status) query.where('status', status)
  // The name of an image is a part of the URLs of its files.
  if (filter.q) query.whereRaw('strpos(?, name) > 0', [filter.q])
  return IMAGES.page(query, filter)
}
