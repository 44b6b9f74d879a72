import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import fc from 'fast-check'
import { bookRefundedAmount } from '#shared/orders/amounts/book-refunded-amount.ts'
import { changeOrderStatus } from '#shared/orders/lifecycle/change-order-status.ts'
import { lockOrder } from '#shared/orders/order.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { CodedError } from '#shared/platform/errors.ts'
import { markOrderPaid } from '#shared/settlement/mark-order-paid.ts'
import { buildCustomer } from '#test/support/builders/accounts.ts'
import { buildOrder, buildPaidOrder } from '#test/support/builders/orders.ts'
import { buildStore } from '#test/support/builders/store.ts'

/** The figures of a customer as they are kept, and as a sum over the orders gives them. */
async function figuresOf(store: { id: string }, id: string) {
  const { rows } = await inStore(store.id, (tx) =>
    tx.knex.raw(
      `select c.orders_count as count, c.total_spent_minor::text as spent, c.last_order_at as last,
         (select count(*)::int from orders o where o.customer_id = c.id and ${COUNTS}) as real_count,
         (select coalesce(sum(total_minor - amount_refunded_minor), 0)::text from orders o
          where o.customer_id = c.id and ${COUNTS}) as real_spent,
         (select max(created_at) from orders o where o.customer_id = c.id and ${COUNTS}) as real_last
       from customers c where c.id = ?`,
      [id],
    ),
  )
  const { count, spent, last, real_count, real_spent, real_last } = rows[0]
  return {
    kept: { count, spent, last },
    summed: { count: real_count, spent: real_spent, last: real_last },
  }
}

const COUNTS = "(o.paid_at is not null or o.status in ('processing', 'shipped', 'complete'))"

type Step = (tx: StoreTx, orderId: string) => Promise<unknown>
const to =
  (status: 'canceled' | 'shipped' | 'complete' | 'processing'): Step =>
  (tx, orderId) =>
    changeOrderStatus(tx, orderId, status, 'system')

const STEPS: Record<string, Step> = {
  pay: (tx, orderId) => markOrderPaid(tx, orderId, 'system'),
  cancel: to('canceled'),
  process: to('processing'),
  ship: to('shipped'),
  complete: to('complete'),
  refund: async (tx, orderId) => {
    const order = await lockOrder(tx, orderId)
    if (order.refundableMinor >= 500n) await bookRefundedAmount(tx, order, 500n)
  },
}

test('the figures of a customer are sums over the orders after any steps', async () => {
  const store = await buildStore()
  const methods = ['card', 'bank_transfer', 'cash_on_delivery'] as const
  const orders = fc.array(
    fc.record({
      paymentMethod: fc.constantFrom(...methods),
      steps: fc.array(fc.constantFrom(...Object.keys(STEPS)), { maxLength: 6 }),
    }),
    { minLength: 1, maxLength: 4 },
  )

  await fc.assert(
    fc.asyncProperty(orders, async (drawn) => {
      const { id } = await buildCustomer(store)
      for (const { paymentMethod, steps } of drawn) {
        const order = await buildOrder(store, { customerId: id, paymentMethod })
        for (const step of steps) await take(store, order.id, step)
      }
      const { kept, summed } = await figuresOf(store, id)
      assert.deepEqual(kept, summed)
    }),
    { numRuns: 25 },
  )
})

/** Takes a step; one that the order's status forbids changes nothing. */
async function take(store: { id: string }, orderId: string, step: string): Promise<void> {
  try {
    await inStore(store.id, (tx) => (STEPS[step] as Step)(tx, orderId))
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
  }
}

test('all orders that are paid at the same time count', async () => {
  const store = await buildStore()
  const { id } = await buildCustomer(store)
  const orders = await Promise.all(Array.from({ length: 6 }, () => buildPaidOrder(store, { customerId: id })))

  await Promise.all(orders.map((order) => take(store, order.id, 'refund')))

  const { kept, summed } = await figuresOf(store, id)
  assert.deepEqual(kept, summed)
  assert.partialDeepStrictEqual(kept, { count: 6, spent: '6000' })
})
