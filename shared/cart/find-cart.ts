import { now } from '../platform/clock.ts'
import { sha256 } from '../platform/crypto.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import type { CartHolder } from './open-cart.ts'
import { type CartLine, priceLines } from './price-lines.ts'

/** A cart with its lines, priced now; what a holder without one has is an empty cart without an id. */
export interface PricedCart {
  id: string | null
  lines: CartLine[]
}

interface CartRow {
  cart_id: string
  id: string | null
  variant_id: string
  quantity: number
}

/** The holder's cart, priced now. */
export async function findCart(tx: StoreTx, holder: CartHolder): Promise<PricedCart> {
  const { customerId, cartToken } = holder
  if (customerId) return readCart(tx, 'c.customer_id = ?', [customerId])
  if (!cartToken) return { id: null, lines: [] }
  return readCart(tx, 'c.token_hash = ? and c.expires_at > ?', [sha256(cartToken), now()])
}

/** A cart that the transaction has opened, priced now. */
export const loadCart = (tx: StoreTx, cartId: string): Promise<PricedCart> =>
  readCart(tx, 'c.id = ?', [cartId])

/** The holder's cart, locked until the end of the transaction; null without one. */
export async function lockCart(tx: StoreTx, { customerId, cartToken }: CartHolder): Promise<string | null> {
  if (!customerId && !cartToken) return null
  const carts = tx.knex('carts').where('store_id', tx.storeId).forNoKeyUpdate()
  const cart = customerId
    ? await carts.where('customer_id', customerId).first('id')
    : await carts
        .where('token_hash', sha256(cartToken ?? ''))
        .where('expires_at', '>', now())
        .first('id')
  return cart?.id ?? null
}

async function readCart(tx: StoreTx, which: string, values: unknown[]): Promise<PricedCart> {
  const { rows } = await tx.knex.raw<{ rows: CartRow[] }>(
    `select c.id as cart_id, i.id, i.variant_id, i.quantity
     from carts c
     left join cart_items i on i.store_id = c.store_id and i.cart_id = c.id
     where c.store_id = ? and ${which}
     order by i.created_at, i.id`,
    [tx.storeId, ...values] as never,
  )
  const items = rows.flatMap(({ id, variant_id, quantity }) =>
    id ? [{ id, variantId: variant_id, quantity }] : [],
  )
  return { id: rows[0]?.cart_id ?? null, lines: await priceLines(tx, items) }
}
