import { type Sellable, sellableSql } from '../catalog/find-sellable.ts'
import { now } from '../platform/clock.ts'
import { sha256 } from '../platform/crypto.ts'
import { readInStore } from '../platform/one-round-trip.ts'
import type { Statement } from '../platform/statement.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import type { CartHolder } from './open-cart.ts'
import { type CartLine, priceLine } from './price-lines.ts'

/** A cart with its lines, priced now; what a holder without one has is an empty cart without an id. */
export interface PricedCart {
  id: string | null
  lines: CartLine[]
}

const NO_CART: PricedCart = { id: null, lines: [] }

/** A row for each line, as JSON; one without a line for an empty cart. `$1` is the moment, `$2` says which cart. */
const readBy = (name: string, which: string): Statement => ({
  name: `read_cart_by_${name}`,
  text: `
    select to_json(line) as line from (
      select c.id as "cartId", i.id, i.quantity, ${sellableSql('$1::timestamptz')}
      from carts c
      left join cart_items i on i.store_id = c.store_id and i.cart_id = c.id
      left join product_variants v on v.store_id = i.store_id and v.id = i.variant_id
      left join products p on p.store_id = v.store_id and p.id = v.product_id
      where c.store_id = current_setting('app.store_id')::uuid and ${which}
      order by i.created_at, i.id) line`,
})

const BY_ID = readBy('id', 'c.id = $2::uuid')
const BY_CUSTOMER = readBy('customer', 'c.customer_id = $2::uuid')
const BY_TOKEN = readBy('token', "c.token_hash = decode($2, 'hex') and c.expires_at > $1::timestamptz")

/** The holder's cart, priced now, in one round trip. */
export async function readCart(storeId: string, { customerId, cartToken }: CartHolder): Promise<PricedCart> {
  if (!customerId && !cartToken) return NO_CART
  const [statement, which] = customerId
    ? [BY_CUSTOMER, customerId]
    : [BY_TOKEN, sha256(cartToken ?? '').toString('hex')]
  const rows = await readInStore(storeId, statement, [now().toISOString(), which])
  return toCart(rows.map(([json]) => JSON.parse(json ?? '')))
}

/** A cart that the transaction has opened, priced now. */
export async function loadCart(tx: StoreTx, cartId: string): Promise<PricedCart> {
  const rows = await tx.prepared<{ line: CartRow }>(BY_ID, [now().toISOString(), cartId])
  return toCart(rows.map(({ line }) => line))
}

/** JSON has no bigint: amounts arrive as numbers, all of them exact (see `Money`). */
interface CartRow extends Omit<Sellable, 'basePriceMinor' | 'salePriceMinor' | 'unitPriceMinor'> {
  cartId: string
  /** Null in the one row of an empty cart. */
  id: string | null
  quantity: number
  basePriceMinor: number
  salePriceMinor: number | null
  unitPriceMinor: number
}

function toCart(rows: CartRow[]): PricedCart {
  const [first] = rows
  return first ? { id: first.cartId, lines: rows.flatMap(toLine) } : NO_CART
}

function toLine({ cartId: _, id, quantity, ...row }: CartRow): CartLine[] {
  if (!id) return []
  const sellable: Sellable = {
    ...row,
    basePriceMinor: BigInt(row.basePriceMinor),
    salePriceMinor: row.salePriceMinor === null ? null : BigInt(row.salePriceMinor),
    unitPriceMinor: BigInt(row.unitPriceMinor),
  }
  return [priceLine({ id, variantId: row.variantId, quantity }, sellable)]
}
