import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import { Order } from './order.ts'

/** Who asks for an order: a signed-in customer, or whoever holds the token that was given at its checkout. */
export interface Buyer {
  customerId: string | null
  accessToken: string | null
}

/** The buyer's own order. Another's is answered as an unknown one: 404. */
export async function findBuyersOrder(tx: StoreTx, orderId: string, buyer: Buyer): Promise<Order> {
  const order = await Order.in(tx).findById(orderId)
  if (!order || !isBuyers(order, buyer)) throw CommonErrors.notFound()
  return order
}

function isBuyers({ customerId, accessTokenHash }: Order, buyer: Buyer): boolean {
  if (customerId && customerId === buyer.customerId) return true
  return Boolean(accessTokenHash && buyer.accessToken && accessTokenHash.equals(sha256(buyer.accessToken)))
}
