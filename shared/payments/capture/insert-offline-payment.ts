import type { OrderActor } from '#shared/orders/actor.ts'
import type { Order } from '#shared/orders/order.ts'
import { Payment } from '#shared/payments/payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'

/**
 * Inserts a captured payment of an order that no gateway captured. `capturedMinor` defaults to all that is due. If the
 * order needs no payment, the captured amount is also stored as the requested one.
 */
export async function insertOfflinePayment(
  tx: StoreTx,
  { id, needsPayment, dueMinor, currency }: Order,
  {
    provider,
    actor,
    capturedMinor = dueMinor,
  }: { provider: string; actor: OrderActor; capturedMinor?: bigint },
): Promise<Payment> {
  const at = now()
  return Payment.in(tx).insert({
    orderId: id,
    provider,
    status: 'captured',
    amountMinor: needsPayment ? dueMinor : capturedMinor,
    currency,
    capturedMinor,
    capturedCurrency: currency,
    recordedBy: actor,
    capturedAt: at,
    createdAt: at,
    updatedAt: at,
  })
}
