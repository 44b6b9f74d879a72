import type { StorefrontContext } from '#shared/catalog/storefront-context/context.ts'
import type { Paged } from '#shared/platform/db/list-query.ts'
import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { ITEM_JSON, itemValues, VISIBLE_ITEMS, WishlistItem } from './wishlist-item.ts'

const OF_CUSTOMER = `i.store_id = ${CURRENT_STORE} and i.customer_id = $5::uuid`

const LIST_WISHLIST = {
  name: 'list_wishlist',
  text: `
    select (select count(*) from ${VISIBLE_ITEMS} where ${OF_CUSTOMER}),
      (select json_agg(json order by created_at desc, id desc) from (
         select i.created_at, i.id, ${ITEM_JSON} as json from ${VISIBLE_ITEMS}
         where ${OF_CUSTOMER}
         order by i.created_at desc, i.id desc
         limit $6::bigint offset $7::bigint) page)`,
}

/**
 * Returns one page of a customer's visible items as JSON, the newest first, with their total number. It is one
 * statement.
 */
export async function listWishlist(
  context: StorefrontContext,
  customerId: string,
  { page, page_size }: Paged,
): Promise<{ json: string; total: number }> {
  const values = [...itemValues(context), customerId, `${page_size}`, `${(page - 1) * page_size}`]
  const [row] = await readInStore(context.store.id, LIST_WISHLIST, values)
  return { json: row?.[1] ?? '[]', total: Number(row?.[0] ?? 0) }
}

/** Returns the number of products on a customer's wishlist, hidden ones included. */
export const countWishlist = (tx: StoreTx, customerId: string): Promise<number> =>
  WishlistItem.in(tx).where('customer_id', customerId).resultSize()
