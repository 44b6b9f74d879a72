import type { PastCustomer } from './customers.ts'
import type { PastOrder } from './past-order.ts'

/** Adds orders to the figures of their customers, as `recountCustomer` counts them. */
export function countOrders(orders: readonly PastOrder[], customers: readonly PastCustomer[]): void {
  const byId = new Map(customers.map((customer) => [customer.id, customer]))
  for (const { order } of orders) {
    const customer = byId.get(order.customerId ?? '')
    const isServed = ['processing', 'shipped', 'complete'].includes(order.status)
    if (!customer || !(order.paidAt || isServed)) continue
    const { amountCapturedMinor, totalMinor, amountRefundedMinor, createdAt } = order
    customer.ordersCount += 1
    customer.totalSpentMinor +=
      (amountCapturedMinor > 0n ? amountCapturedMinor : totalMinor) - amountRefundedMinor
    customer.lastOrderAt = createdAt
  }
}
