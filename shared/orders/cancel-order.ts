import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { customerActor } from './actor.ts'
import { changeOrderStatus } from './change-order-status.ts'
import { type Buyer, findBuyersOrder } from './find-buyers-order.ts'

/** A buyer may cancel while nothing is paid and nothing is on its way; after that it is the staff's to decide. */
export async function cancelOrder(tx: StoreTx, orderId: string, buyer: Buyer): Promise<void> {
  const order = await findBuyersOrder(tx, orderId, buyer)
  await changeOrderStatus(tx, orderId, 'canceled', customerActor(order.customerId))
}
