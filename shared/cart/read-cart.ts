import { now } from '../platform/clock.ts'
import { readInStore } from '../platform/one-round-trip.ts'
import type { Statement } from '../platform/statement.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { aboutCart } from './about-cart.ts'
import { CART_ROW, type CartLine, type CartRow, toLine } from './cart-line.ts'
import type { CartHolder } from './open-cart.ts'
import { type PricedLines, priceCart } from './price-cart.ts'

/** A cart with its lines, priced now; what a holder without one has is an empty cart without an id. */
export interface PricedCart extends PricedLines<CartLine> {
  id: string | null
}

/** The cart's id beside each of its lines; an empty cart has one row without a line. */
const readLines = (whichCart: string): string => `
  select c.id, line.json
  from carts c
  left join lateral (
    select to_json(l) as json from (
      select ${CART_ROW}
      from cart_items i
      join product_variants v on v.store_id = i.store_id and v.id = i.variant_id
      join products p on p.store_id = v.store_id and p.id = v.product_id
      where i.store_id = c.store_id and i.cart_id = c.id
      order by i.created_at, i.id) l) line on true
  where ${whichCart}`

const reading = aboutCart('read_cart', readLines)

/** The holder's cart, priced now, in one round trip. */
export async function readCart(storeId: string, holder: CartHolder): Promise<PricedCart> {
  const { statement, values } = reading(holder)
  const rows = await readInStore(storeId, statement, values)
  return toCart(rows.map(([id, json]) => ({ id: id ?? '', json: json && JSON.parse(json) })))
}

const LOAD_CART: Statement = {
  name: 'load_cart',
  text: readLines("c.store_id = current_setting('app.store_id')::uuid and c.id = $2::uuid"),
}

/** A cart that the transaction has opened, priced now. */
export async function loadCart(tx: StoreTx, cartId: string): Promise<PricedCart> {
  return toCart(await tx.prepared<LineRow>(LOAD_CART, [now().toISOString(), cartId]))
}

interface LineRow {
  id: string
  json: CartRow | null
}

const toCart = (rows: LineRow[]): PricedCart => ({
  id: rows[0]?.id ?? null,
  ...priceCart(rows.flatMap(({ json }) => (json ? [toLine(json)] : []))),
})
