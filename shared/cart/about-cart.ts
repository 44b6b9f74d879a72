import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { CartHolder } from './open-cart.ts'

/**
 * Prepares a statement about the cart `c` of a holder: the signed-in customer's, else the one that the token opens
 * and that has not expired. In it `$1` is the moment and `$2` says which cart.
 */
export function aboutCart(name: string, textFor: (whichCart: string) => string) {
  const statement = (by: string, whichCart: string): Statement => ({
    name: `${name}_by_${by}`,
    text: textFor(`c.store_id = ${CURRENT_STORE} and ${whichCart}`),
  })
  const byCustomer = statement('customer', 'c.customer_id = $2::uuid')
  const byToken = statement('token', "c.token_hash = decode($2, 'hex') and c.expires_at > $1::timestamptz")

  return ({ customerId, cartToken }: CartHolder) => ({
    statement: customerId ? byCustomer : byToken,
    values: [now().toISOString(), customerId ?? sha256(cartToken ?? '').toString('hex')],
  })
}
