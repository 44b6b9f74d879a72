import { now } from '../platform/clock.ts'
import { sha256 } from '../platform/crypto.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import type { CartHolder } from './open-cart.ts'
import { type CartLine, priceLines } from './price-lines.ts'

interface TakenRow {
  id: string
  variantId: string
  quantity: number
}

/**
 * Takes every line out of the holder's cart, priced now. Who takes first has them: of two checkouts at once, the
 * second finds the cart empty.
 */
export async function takeLines(tx: StoreTx, { customerId, cartToken }: CartHolder): Promise<CartLine[]> {
  const [whose, values] = customerId
    ? ['c.customer_id = ?', [customerId]]
    : ['c.token_hash = ? and c.expires_at > ?', [sha256(cartToken ?? ''), now()]]
  const { rows } = await tx.knex.raw<{ rows: TakenRow[] }>(
    `with taken as (
       delete from cart_items i using carts c
       where c.store_id = ? and ${whose} and i.store_id = c.store_id and i.cart_id = c.id
       returning i.id, i.variant_id, i.quantity, i.created_at)
     select id, variant_id as "variantId", quantity from taken order by created_at, id`,
    [tx.storeId, ...values] as never,
  )
  return priceLines(tx, rows)
}
