import { contextValues, type StorefrontContext } from '#shared/catalog/storefront/context.ts'
import {
  lowestPriceSql,
  majorSql,
  publishedProductsSql,
  textSql,
  timestampSql,
} from '#shared/catalog/storefront/sql.ts'

const AT = '$4::timestamptz'
const VALUES = 4

/** The first of a statement's own values: those before it are `itemValues`. */
export const FIRST_OWN_VALUE = VALUES + 1

/** Language, the store's language, the unit of its money, and now. */
export const itemValues = (reader: StorefrontContext): string[] => contextValues(reader).slice(0, VALUES)

/** The items `i` of published products `p`: what is unpublished stays on the list, and is hidden until it is back. */
export const SHOWN_ITEMS = `wishlist_items i
  join ${publishedProductsSql('p')} on p.store_id = i.store_id and p.id = i.product_id`

/** Item `i` of product `p` as a `WishlistItemView`. */
export const ITEM_JSON = `json_build_object(
  'id', i.id, 'product_id', p.id, 'product_name', coalesce(${textSql('p.name_i18n')}, ''), 'product_slug', p.slug,
  'price', ${majorSql(lowestPriceSql('p', AT))},
  'primary_image_url', p.images -> 0 ->> 'url', 'created_at', ${timestampSql('i.created_at')})`
