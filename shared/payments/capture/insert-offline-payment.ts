import type { OrderActor } from '#shared/orders/actor.ts'
import type { Order } from '#shared/orders/order.ts'
import { Payment } from '#shared/payments/payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'

/** Inserts a captured payment of an order that no gateway captured. It is of all that is due. */
export async function insertOfflinePayment(
  tx: StoreTx,
  { id, dueMinor, currency }: Order,
  { provider, actor }: { provider: string; actor: OrderActor },
): Promise<Payment> {
  const at = now()
  return Payment.in(tx).insert({
    orderId: id,
    provider,
    status: 'captured',
    amountMinor: dueMinor,
    currency,
    capturedMinor: dueMinor,
    capturedCurrency: currency,
    recordedBy: actor,
    capturedAt: at,
    createdAt: at,
    updatedAt: at,
  })
}
