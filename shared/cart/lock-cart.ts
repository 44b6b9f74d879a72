import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { CartHolder } from './open-cart.ts'

/** The holder's cart, kept from others until the end of the transaction; null without one. */
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
