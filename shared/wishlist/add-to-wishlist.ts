import type { StorefrontContext } from '#shared/catalog/storefront-context/context.ts'
import { publishedProductsSql } from '#shared/catalog/storefront-context/sql.ts'
import { lockCustomer } from '#shared/customers/customer.ts'
import { newId } from '#shared/platform/db/id.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { now } from '#shared/platform/time/clock.ts'
import { MAX_WISHLIST_ITEMS, WishlistErrors } from './errors.ts'
import { ITEM_JSON, itemValues, VISIBLE_ITEMS, type WishlistItemView } from './wishlist-item.ts'

const INSERT_ITEM = {
  name: 'insert_wishlist_item',
  text: `
    insert into wishlist_items (store_id, id, customer_id, product_id, created_at)
    select p.store_id, $1::uuid, $2::uuid, p.id, $4::timestamptz from ${publishedProductsSql('p')}
    where p.id = $3::uuid
    on conflict (store_id, customer_id, product_id) do nothing
    returning id`,
}

const READ_ITEM = {
  name: 'read_wishlist_item',
  text: `
    select ${ITEM_JSON} as item from ${VISIBLE_ITEMS}
    where i.store_id = ${CURRENT_STORE} and i.customer_id = $5::uuid
      and i.product_id = $6::uuid`,
}

/**
 * Adds a published product to a customer's wishlist. If the product is already on it, its item stays and `isNew` is
 * false. Throws `resource.not_found` and `wishlist.limit_reached`.
 */
export async function addToWishlist(
  tx: StoreTx,
  context: StorefrontContext,
  { customerId, productId }: { customerId: string; productId: string },
): Promise<{ item: WishlistItemView; isNew: boolean }> {
  // Without the lock, two concurrent requests could both count one free place.
  await lockCustomer(tx, customerId)
  const inserted = await tx.prepared(INSERT_ITEM, [newId(), customerId, productId, now()])
  const isNew = inserted.length > 0
  if (isNew) await assertWithinLimit(tx, customerId)

  const values = [...itemValues(context), customerId, productId]
  const [row] = await tx.prepared<{ item: WishlistItemView }>(READ_ITEM, values)
  if (!row) throw CommonErrors.notFound()
  return { item: row.item, isNew }
}

// Hidden items do not count: a customer cannot remove an item that is not shown.
const COUNT_ITEMS = {
  name: 'count_wishlist_items',
  text: `
    select count(*) as total from ${VISIBLE_ITEMS}
    where i.store_id = ${CURRENT_STORE} and i.customer_id = $1::uuid`,
}

async function assertWithinLimit(tx: StoreTx, customerId: string): Promise<void> {
  const [count] = await tx.prepared<{ total: bigint }>(COUNT_ITEMS, [customerId])
  if (count && count.total > MAX_WISHLIST_ITEMS) throw WishlistErrors.limitReached()
}
