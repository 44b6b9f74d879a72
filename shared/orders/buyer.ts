import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import { findOrder, type Order } from './order.ts'

/** The buyer of an order: a signed-in customer, or a guest with the token from the checkout. */
export interface Buyer {
  customerId: string | null
  accessToken: string | null
}

/** The buyer's own order. Unknown, or another buyer's: 404. */
export async function findOrderOfBuyer(tx: StoreTx, orderId: string, buyer: Buyer): Promise<Order> {
  const order = await findOrder(tx, orderId)
  if (!isBuyers(order, buyer)) throw CommonErrors.notFound()
  return order
}

function isBuyers({ customerId, accessTokenHash }: Order, buyer: Buyer): boolean {
  if (customerId && customerId === buyer.customerId) return true
  return Boolean(accessTokenHash && buyer.accessToken && accessTokenHash.equals(sha256(buyer.accessToken)))
}
