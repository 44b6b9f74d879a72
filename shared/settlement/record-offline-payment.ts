import type { OrderActor } from '#shared/orders/actor.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { markOrderPaid } from './mark-order-paid.ts'
import { recordReceivedMoney } from './record-received-money.ts'

/** A payment outside the gateway. Without an amount it is all that is due. */
export interface OfflinePayment {
  amountMinor: bigint | null
  note: string | null
}

/**
 * Records a payment outside the gateway. Without an amount it marks an unpaid order as paid. With an amount it records
 * the money in every status of the order. Throws the errors of `markOrderPaid` or `recordReceivedMoney`.
 */
export async function recordOfflinePayment(
  tx: StoreTx,
  orderId: string,
  { amountMinor, note }: OfflinePayment,
  actor: OrderActor,
): Promise<void> {
  if (amountMinor === null) await markOrderPaid(tx, orderId, actor, { note })
  else await recordReceivedMoney(tx, orderId, { amountMinor, note }, actor)
}
