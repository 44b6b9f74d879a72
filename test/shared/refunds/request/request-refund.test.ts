import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { Order } from '#shared/orders/order.ts'
import { db } from '#shared/platform/db/db.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import type { RefundRequest } from '#shared/refunds/calculate/refund-request.ts'
import { refundRemainder } from '#shared/refunds/request/refund-remainder.ts'
import { requestRefund } from '#shared/refunds/request/request-refund.ts'
import { settleRefund } from '#shared/refunds/settle/settle-refund.ts'
import { readOrder, readRefunds } from '#test/support/books/read-refunds.ts'
import { ignoreBooksOf, testBooks } from '#test/support/books/test-books.ts'
import { buildCapturedOrder, type GivenOrder } from '#test/support/builders/captured-order.ts'
import { requester } from '#test/support/builders/refund-requester.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { barrier } from '#test/support/races/barrier.ts'

const SUCCESS = { status: 'succeeded', reference: 're_1', failureReason: null } as const

async function paidOrder(given: GivenOrder = {}) {
  const store = await buildStore()
  const order = await buildCapturedOrder(store, { gateway, ...given })
  const ask = (request: RefundRequest) =>
    inStore(store.id, (tx) => requestRefund(tx, order.id, request, requester('staff:1')))
  const refunded = async (request: RefundRequest) => {
    const refund = await ask(request)
    await inStore(store.id, (tx) => settleRefund(tx, refund.id, { ...SUCCESS, reference: `re_${refund.id}` }))
    return refund.amountMinor
  }
  return { store, order, ask, refunded }
}

const line = ({ lines }: { lines: { id: string }[] }, index = 0) => lines[index]?.id ?? ''

test('a refund is inserted with the job that sends it', async () => {
  const { store, order, ask } = await paidOrder()

  const refund = await ask({ amountMinor: 700n, reason: 'Late' })

  assert.equal(refund.status, 'pending')
  const { rows } = await db().raw(`select data from pgboss.job where name = 'send-refund' and group_id = ?`, [
    store.id,
  ])
  assert.deepEqual(rows, [{ data: { storeId: store.id, refundId: refund.id } }])
  assert.equal((await readOrder(store, order.id)).amountRefundedMinor, 0n)
})

test('units are refunded at their price less their share of the discount', async () => {
  const lines = [
    { priceMinor: 1_000n, quantity: 3 },
    { priceMinor: 500n, quantity: 2 },
  ]
  const { order, ask } = await paidOrder({ lines, discountMinor: 400n })

  const refund = await ask({ items: [{ orderItemId: line(order), quantity: 1 }] })

  assert.equal(refund.amountMinor, 900n)
})

test('each line and shipping are refunded with their own tax', async () => {
  const lines = [
    { priceMinor: 1_000n, quantity: 2, taxMinor: 380n },
    { priceMinor: 1_000n, quantity: 2, taxMinor: 140n },
  ]
  const { order, refunded } = await paidOrder({ lines, shippingMinor: 500n, shippingTaxMinor: 95n })

  const parts = [
    await refunded({ items: [{ orderItemId: line(order), quantity: 1 }] }),
    await refunded({ items: [{ orderItemId: line(order, 1), quantity: 1 }] }),
    await refunded({ shippingAmountMinor: 595n }),
  ]

  assert.deepEqual(parts, [1_190n, 1_070n, 595n])
})

test('refunds of all units and the shipping add up to the total', async () => {
  const lines = [
    { priceMinor: 333n, quantity: 3 },
    { priceMinor: 101n, quantity: 1 },
  ]
  const { store, order, refunded } = await paidOrder({
    lines,
    discountMinor: 77n,
    taxMinor: 13n,
    shippingMinor: 490n,
  })

  const parts = [
    await refunded({ items: [{ orderItemId: line(order), quantity: 1 }] }),
    await refunded({ items: [{ orderItemId: line(order), quantity: 2 }] }),
    await refunded({ items: [{ orderItemId: line(order, 1), quantity: 1 }], shippingAmountMinor: 190n }),
    await refunded({ shippingAmountMinor: 300n }),
  ]

  assert.equal(
    parts.reduce((a, b) => a + b),
    order.totalMinor,
  )
  const after = await readOrder(store, order.id)
  assert.equal(after.refundableMinor, 0n)
  assert.equal(after.status, 'refunded')
})

const REFUSED: [why: string, code: string, request: (item: string) => RefundRequest][] = [
  ['more than was paid', 'refund.exceeds_paid', () => ({ amountMinor: 2_501n })],
  ['more shipping than was paid', 'refund.exceeds_paid', () => ({ shippingAmountMinor: 501n })],
  [
    'more units than are left',
    'refund.quantity_exceeded',
    (id) => ({ items: [{ orderItemId: id, quantity: 3 }] }),
  ],
  [
    "a line that is not the order's",
    'validation.failed',
    () => ({ items: [{ orderItemId: newId(), quantity: 1 }] }),
  ],
]

for (const [why, code, request] of REFUSED)
  test(`${why}: ${code}`, async () => {
    const { store, order, ask } = await paidOrder()

    await assert.rejects(ask(request(line(order))), { code })

    assert.deepEqual(await readRefunds(store, order.id), [])
  })

test('a refunded sum, unit or shipping cannot be refunded again', async () => {
  const { order, ask, refunded } = await paidOrder()
  await refunded({ items: [{ orderItemId: line(order), quantity: 1 }], shippingAmountMinor: 500n })

  await assert.rejects(ask({ amountMinor: 1_001n }), { code: 'refund.exceeds_paid' })
  await assert.rejects(ask({ items: [{ orderItemId: line(order), quantity: 2 }] }), {
    code: 'refund.quantity_exceeded',
  })
  await assert.rejects(ask({ shippingAmountMinor: 1n }), { code: 'refund.exceeds_paid' })
})

test('an order that was not paid has nothing to refund', async () => {
  const { store, order, ask } = await paidOrder()
  ignoreBooksOf(store)
  await inStore(store.id, (tx) => Order.in(tx).findById(order.id).patch({ amountCapturedMinor: 0n }))

  await assert.rejects(ask({ amountMinor: 1n }), { code: 'order.nothing_to_refund' })
  await assert.rejects(
    inStore(store.id, (tx) => refundRemainder(tx, order.id, 'system')),
    { code: 'order.nothing_to_refund' },
  )
})

test('a refund of free units alone is refused, and the error names the refundable amount', async () => {
  const { order, ask } = await paidOrder({
    lines: [
      { priceMinor: 0n, quantity: 1 },
      { priceMinor: 1_000n, quantity: 1 },
    ],
  })
  const free = { orderItemId: line(order), quantity: 1 }

  await assert.rejects(ask({ items: [free] }), {
    code: 'order.nothing_to_refund',
    message: /would be 0.* 15 EUR of this order can still be refunded/,
  })
  const both = { items: [free, { orderItemId: line(order, 1), quantity: 1 }] }
  assert.equal((await ask(both)).amountMinor, 1_000n)
})

test("another store's order is unknown", async () => {
  const { order } = await paidOrder()
  const other = await buildStore()

  await assert.rejects(
    inStore(other.id, (tx) => requestRefund(tx, order.id, { amountMinor: 1n }, requester('system'))),
    { code: 'resource.not_found' },
  )
})

test('an order paid without a gateway is refunded immediately', async () => {
  const store = await buildStore()
  const order = await buildCapturedOrder(store)

  const refund = await inStore(store.id, (tx) => refundRemainder(tx, order.id, 'staff:1'))

  const [kept] = await readRefunds(store, order.id)
  assert.deepEqual({ id: refund?.id, status: kept?.status }, { id: kept?.id, status: 'succeeded' })
  assert.equal((await readOrder(store, order.id)).status, 'refunded')
})

test('a second refund while one is in progress is rejected', async () => {
  const { ask } = await paidOrder()
  await ask({ amountMinor: 100n })

  await assert.rejects(ask({ amountMinor: 100n }), { code: 'refund.in_progress' })
})

test('refundRemainder returns the refund in progress, and null after it succeeded', async () => {
  const { store, order } = await paidOrder()
  const rest = () => inStore(store.id, (tx) => refundRemainder(tx, order.id, 'staff:1'))

  const [first, second] = [await rest(), await rest()]
  await inStore(store.id, (tx) => settleRefund(tx, first?.id ?? '', SUCCESS))
  const third = await rest()

  assert.equal(first?.amountMinor, 2_500n)
  assert.equal(second?.id, first?.id)
  assert.equal(third, null)
})

test('eight concurrent full refunds make one refund', async () => {
  const { store, order, ask } = await paidOrder()

  const asked = await Promise.allSettled(
    Array.from({ length: 8 }, () => ask({ amountMinor: order.totalMinor })),
  )

  const refusals = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))
  assert.deepEqual(refusals, Array(7).fill('refund.in_progress'))
  assert.equal((await readRefunds(store, order.id)).length, 1)
})

test('control: without the lock, two concurrent refunds each see the whole balance', async () => {
  const { store, order } = await paidOrder()
  ignoreBooksOf(store)
  const meet = barrier(2)

  const naive = () =>
    inStore(store.id, async (tx) => {
      const { refundableMinor, amountRefundedMinor } = await Order.in(tx).findById(order.id).throwIfNotFound()
      await meet()
      if (refundableMinor < order.totalMinor) return 0n
      await Order.in(tx)
        .findById(order.id)
        .patch({ amountRefundedMinor: amountRefundedMinor + order.totalMinor })
      return order.totalMinor
    })

  const [one, two] = await Promise.all([naive(), naive()])
  assert.equal(one + two, 2n * order.totalMinor)
})

testBooks()
