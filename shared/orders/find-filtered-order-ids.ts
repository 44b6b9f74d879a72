import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** The decisions and payments that an order can need from staff. */
export const ORDER_NEEDS = ['payment_decision', 'refund'] as const
export type OrderNeed = (typeof ORDER_NEEDS)[number]

/**
 * Finds the ids of orders by data of later domains. Orders may not import these, so the caller passes the functions in.
 */
export interface OrderFinders {
  ofSubscription(tx: StoreTx, subscriptionId: string | undefined): Promise<readonly string[] | undefined>
  byNeed: Record<OrderNeed, (tx: StoreTx) => Promise<readonly string[]>>
}

interface Filter {
  subscription_id?: string | undefined
  needs?: OrderNeed | undefined
}

/** Returns the ids of the orders that match both filters; undefined when neither filter is set. */
export async function findFilteredOrderIds(
  tx: StoreTx,
  { subscription_id, needs }: Filter,
  { ofSubscription, byNeed }: OrderFinders,
): Promise<readonly string[] | undefined> {
  const subscriptionIds = await ofSubscription(tx, subscription_id)
  const needIds = needs && (await byNeed[needs](tx))
  if (!subscriptionIds || !needIds) return subscriptionIds ?? needIds
  return [...new Set(subscriptionIds).intersection(new Set(needIds))]
}
