import { type Static, Type } from 'typebox'
import { StoreModel } from '#shared/platform/db/model.ts'
import { Shape, Timestamp, toTimestamp, Uuid } from '#shared/platform/http/schema.ts'

/** Says that an item of the external catalog is a product of the store: one item, one product. */
export class RemoteLink extends StoreModel {
  static override tableName = 'remote_links'

  declare itemId: string
  declare productId: string
  declare createdAt: Date
}

export const RemoteLinkView = Shape({
  id: Uuid,
  item_id: Type.String({ description: "The external system's own" }),
  product_id: Uuid,
  created_at: Timestamp,
})

export const viewLink = ({
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
