import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { lockSubscriptionsOfOrder } from '#shared/subscriptions/charges/charges-of-order.ts'
import { settleOpenCharge } from '#shared/subscriptions/charges/settle-open-charge.ts'
import { stopCharges } from './stop-charges.ts'

/**
 * Stops the subscriptions that an order charges after its buyer disputed the payment: the next charge would be disputed
 * too. Throws `subscription.charge_in_progress`. A repeat changes nothing.
 */
export async function stopDisputedSubscriptions(tx: StoreTx, orderId: string): Promise<void> {
  for (const locked of await lockSubscriptionsOfOrder(tx, orderId))
    await stopCharges(tx, await settleOpenCharge(tx, locked), 'gateway')
}
