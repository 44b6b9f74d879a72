import { now } from '../platform/clock.ts'
import { sha256 } from '../platform/crypto.ts'
import type { Statement } from '../platform/statement.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import type { CartHolder } from './open-cart.ts'
import { type CartLine, type CartUnits, priceLines } from './price-lines.ts'

/** `$1` says which cart, `$2` is the moment. */
const takeBy = (name: string, which: string): Statement => ({
  name: `take_lines_by_${name}`,
  text: `
    with taken as (
      delete from cart_items i using carts c
      where c.store_id = current_setting('app.store_id')::uuid and ${which}
        and i.store_id = c.store_id and i.cart_id = c.id
      returning i.id, i.variant_id, i.quantity, i.created_at)
    select id, variant_id as "variantId", quantity from taken order by created_at, id`,
})

const BY_CUSTOMER = takeBy('customer', 'c.customer_id = $1')
const BY_TOKEN = takeBy('token', 'c.token_hash = $1 and c.expires_at > $2')

/**
 * Takes every line out of the holder's cart, priced now. Who takes first has them: of two checkouts at once, the
 * second finds the cart empty.
 */
export async function takeLines(tx: StoreTx, { customerId, cartToken }: CartHolder): Promise<CartLine[]> {
  const taken = customerId
    ? await tx.prepared<CartUnits>(BY_CUSTOMER, [customerId])
    : await tx.prepared<CartUnits>(BY_TOKEN, [sha256(cartToken ?? ''), now()])
  return priceLines(tx, taken)
}
