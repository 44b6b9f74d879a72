import { type Static, Type } from 'typebox'
import { lowestPriceSql } from '#shared/catalog/prices/current-price.ts'
import { AT, contextValues, type StorefrontContext } from '#shared/catalog/storefront-context/context.ts'
import {
  majorSql,
  orEmptySql,
  primaryImageSql,
  publishedProductsSql,
  textOrEmptySql,
  timestampSql,
} from '#shared/catalog/storefront-context/sql.ts'
import { jsonFields, jsonSql, schemaOf } from '#shared/platform/db/json-fields.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import { Money, Timestamp, Uuid } from '#shared/platform/http/schema.ts'

/** A product on a customer's wishlist. */
export class WishlistItem extends StoreModel {
  static override tableName = 'wishlist_items'

  declare customerId: string
  declare productId: string
  declare createdAt: Date
}

/** Item `i` with its product `p`. */
const fields = jsonFields({
  id: [Uuid, 'i.id'],
  product_id: [Uuid, 'p.id'],
  product_name: [
    Type.String({ description: 'In the language of the request' }),
    textOrEmptySql('p.name_i18n'),
  ],
  product_slug: [Type.String(), 'p.slug'],
  price: [
    { ...Money, description: 'The lowest price of one unit now, of any variant' },
    majorSql(lowestPriceSql('p', AT)),
  ],
  primary_image_url: [
    Type.String({ description: 'Empty when the product has no image' }),
    orEmptySql(primaryImageSql('p')),
  ],
  created_at: [
    { ...Timestamp, description: 'When the product was put on the list' },
    timestampSql('i.created_at'),
  ],
})

/** An item of a wishlist with its product. */
export const WishlistItemView = schemaOf(fields)
export type WishlistItemView = Static<typeof WishlistItemView>

export const ITEM_JSON = jsonSql(fields)

/** The visible items `i` with their products `p`. An item of an unpublished product is kept and hidden. */
export const VISIBLE_ITEMS = `wishlist_items i
  join ${publishedProductsSql('p')} on p.store_id = i.store_id and p.id = i.product_id`

/**
 * Returns the values of `$1` to `$4`, which `ITEM_JSON` uses: the languages, the unit of money and the current time. A
 * statement numbers its own placeholders from `$5`, because PostgreSQL refuses values that a statement does not use.
 */
export const itemValues = (context: StorefrontContext): string[] => contextValues(context).slice(0, 4)
