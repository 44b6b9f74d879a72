import { findOrdersToDecide } from '#shared/payments/payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { findOrdersWithFailedRefund } from '#shared/refunds/find-orders-with-failed-refund.ts'
import { findOrdersOfSubscription } from '#shared/subscriptions/charges/charges-of-order.ts'

export const NEEDS = ['payment_decision', 'refund'] as const
type Need = (typeof NEEDS)[number]

/** The orders that wait for staff, by what they need. */
const FIND_NEEDY: Record<Need, (tx: StoreTx) => Promise<string[]>> = {
  payment_decision: findOrdersToDecide,
  refund: findOrdersWithFailedRefund,
}

interface Filter {
  subscription_id?: string | undefined
  needs?: Need | undefined
}

/** The ids of the orders that filters by other domains than orders find; undefined without such a filter. */
export async function findFilteredOrders(
  tx: StoreTx,
  { subscription_id, needs }: Filter,
): Promise<readonly string[] | undefined> {
  const charged = await findOrdersOfSubscription(tx, subscription_id)
  const needy = needs && (await FIND_NEEDY[needs](tx))
  return charged && needy ? charged.filter((id) => needy.includes(id)) : (charged ?? needy)
}
