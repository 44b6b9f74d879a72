import { type Static, Type } from 'typebox'
import { toTimestamp } from '#shared/platform/http/response-values.ts'
import { Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import type { RemoteLink } from './remote-link.ts'

export const RemoteLinkView = Shape({
  id: Uuid,
  item_id: Type.String({ description: 'Id in the external system' }),
  product_id: Uuid,
  created_at: Timestamp,
})

export const viewRemoteLink = ({
  id,
  itemId,
  productId,
  createdAt,
}: RemoteLink): Static<typeof RemoteLinkView> => ({
  id,
  item_id: itemId,
  product_id: productId,
  created_at: toTimestamp(createdAt),
})
