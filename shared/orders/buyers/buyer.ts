import { findOrder, lockOrder, Order } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { randomToken, sha256 } from '#shared/platform/secrets/crypto.ts'

/** The buyer of an order: a signed-in customer, or a guest with the token from the checkout. */
export interface Buyer {
  customerId: string | null
  accessToken: string | null
}

/** Returns an order of the buyer. Throws `resource.not_found` if it does not exist or is another buyer's. */
export async function findOrderOfBuyer(tx: StoreTx, orderId: string, buyer: Buyer): Promise<Order> {
  const order = await findOrder(tx, orderId)
  if (!isBuyers(order, buyer)) throw CommonErrors.notFound()
  return order
}

function isBuyers({ customerId, accessTokenHashes }: Order, buyer: Buyer): boolean {
  if (customerId && customerId === buyer.customerId) return true
  if (!buyer.accessToken) return false
  const hash = sha256(buyer.accessToken)
  return accessTokenHashes.some((known) => known.equals(hash))
}

/**
 * The most tokens of an order. Another one replaces the second oldest: the checkout returned the oldest, which stays
 * valid.
 */
const MAX_TOKENS = 12

/** Issues another access token of a guest's order, for a link in a mail. Null for a customer's order. */
export async function issueAccessToken(tx: StoreTx, orderId: string): Promise<string | null> {
  const order = await lockOrder(tx, orderId)
  if (order.customerId) return null
  const token = randomToken()
  const [first, ...others] = order.accessTokenHashes
  const kept = [...(first ? [first] : []), ...others.slice(-(MAX_TOKENS - 2))]
  await Order.in(tx)
    .findById(orderId)
    .patch({ accessTokenHashes: [...kept, sha256(token)] })
  return token
}
