import type { StoreTx } from '../platform/store-scope.ts'
import { aboutCart } from './about-cart.ts'
import { CART_ROW, type CartLine, type CartRow, toLine } from './cart-line.ts'
import type { CartHolder } from './open-cart.ts'

const taking = aboutCart(
  'take_cart_lines',
  (whichCart) => `
    with i as (
      delete from cart_items i using carts c
      where ${whichCart} and i.store_id = c.store_id and i.cart_id = c.id
      returning i.*)
    select to_json(line) as line from (
      select ${CART_ROW}
      from i
      join product_variants v on v.store_id = i.store_id and v.id = i.variant_id
      join products p on p.store_id = v.store_id and p.id = v.product_id
      order by i.created_at, i.id) line`,
)

/**
 * Takes every line out of the holder's cart, priced now. Who takes first has them: of two checkouts at once, the
 * second finds the cart empty.
 */
export async function takeLines(tx: StoreTx, holder: CartHolder): Promise<CartLine[]> {
  const { statement, values } = taking(holder)
  const rows = await tx.prepared<{ line: CartRow }>(statement, values)
  return rows.map(({ line }) => toLine(line))
}
