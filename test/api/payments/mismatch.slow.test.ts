import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/processes/gateway.ts'
import { DAY_MS } from '#shared/platform/time/clock.ts'
import { createRefund } from '#test/sandbox/gateway/refunds.ts'
import { readOrder } from '#test/support/books/read-refunds.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildApiToken, buildStaff } from '#test/support/builders/accounts.ts'
import { buildOrder } from '#test/support/builders/orders.ts'
import { buildShop, confirm, placeCardOrder } from '#test/support/builders/place-orders.ts'
import { buildSupport } from '#test/support/builders/support.ts'
import { moveClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainDueOrders, drainJobs } from '#test/support/processes/jobs.ts'
import { notify } from '#test/support/processes/notify.ts'

/** An order of 25.00 of which the gateway captured something else, in Stripe's units. */
async function mismatched(
  captured: { amount?: number; currency?: string },
  { isCanceled = false }: { isCanceled?: boolean } = {},
) {
  const shop = await buildShop(10)
  const order = await placeCardOrder(shop, 2)
  const { token } = await buildStaff(shop.store, { role: 'owner' })
  const { amount = 2_500, currency = 'eur' } = captured
  const intent = await confirm(order.reference)
  const cancel = `POST /orders/${order.id}/cancel?access_token=${order.accessToken}`
  // Its job runs later: the event of the capture comes first.
  if (isCanceled) await request(cancel, { store: shop.store })
  // As if the intent had been changed at the gateway before it was paid.
  gateway.change((context) => {
    const charge = context.books.find('charges', String(intent.latest_charge))
    const stored = context.books.find('payment_intents', order.reference)
    if (!charge || !stored) throw new Error('The payment is not at the gateway')
    context.books.put('charges', { ...charge, amount, amount_captured: amount, currency })
    context.books.put('payment_intents', { ...stored, amount_received: amount, currency })
  })
  await notify('payment_intent.succeeded', { ...intent, amount_received: amount, currency })
  const read = async () => (await request(`GET /admin/orders/${order.id}`, { token })).data
  return {
    shop,
    order,
    read,
    undecided: async () =>
      (await request('GET /admin/orders?needs=payment_decision', { token })).data.map(
        ({ id }: { id: string }) => id,
      ),
    resolve: async (decision: 'accept' | 'return') => {
      const answered = await request(`POST /admin/orders/${order.id}/resolve-payment`, {
        token,
        body: { payment_id: order.paymentId, decision },
      })
      await drainJobs()
      return answered
    },
    refundInDashboard: async (amount: number) => {
      const params = { payment_intent: order.reference, amount: `${amount}` }
      await notify(
        'refund.created',
        gateway.change((context) => createRefund(context, params)),
      )
    },
    refunds: () =>
      gateway.ledger().refunds.filter(({ payment_intent }) => payment_intent === order.reference),
  }
}

test('a role without the right mark_paid returns a smaller payment, but does not accept it', async () => {
  const { shop, order, read } = await mismatched({ amount: 100 })
  const { token } = await buildApiToken(shop.store, 'sales:read', 'sales:write', 'refund')
  const resolve = (decision: 'accept' | 'return') =>
    request(`POST /admin/orders/${order.id}/resolve-payment`, {
      token,
      body: { payment_id: order.paymentId, decision },
    })

  const accepted = await resolve('accept')
  const { status } = await read()
  const returned = await resolve('return')

  assert.partialDeepStrictEqual(accepted, { status: 403, error_code: 'order.payment_forbidden' })
  assert.equal(status, 'pending')
  assert.equal(returned.status, 200)
})

test('a support session returns a smaller payment, but does not accept it', async () => {
  const { store, token, allow } = await buildSupport()
  await allow()
  const order = await buildOrder(store)
  const resolve = async (decision: 'accept' | 'return') =>
    (
      await request(`POST /admin/orders/${order.id}/resolve-payment`, {
        token,
        body: { payment_id: order.paymentId, decision },
      })
    ).error_code

  assert.equal(await resolve('accept'), 'auth.support_forbidden')
  assert.equal(await resolve('return'), 'payment.not_mismatched')
})

test('a capture of another amount makes the payment mismatched; its order expires only after its return', async () => {
  const { read, order, shop, resolve } = await mismatched({ amount: 2_400 })

  const seen = await read()
  assert.partialDeepStrictEqual(seen, {
    status: 'pending',
    amount_captured: 0,
    payments: [{ status: 'mismatched', amount: 25, amount_captured: 24, currency_captured: 'EUR' }],
  })
  assert.match(seen.history.at(-1).note, /captured 24 EUR instead of 25 EUR: accept or return/)
  const { error_code, error } = await request(
    `POST /orders/${order.id}/pay?access_token=${order.accessToken}`,
    {
      store: shop.store,
      key: order.id,
      body: {},
    },
  )
  assert.equal(error_code, 'order.not_payable')
  assert.match(error ?? '', /captured another amount or currency/)
  moveClock(2 * DAY_MS)
  await drainDueOrders()
  assert.equal((await readOrder(shop.store, order.id)).status, 'pending')

  // A return needs a sign-in of the last hour.
  moveClock(0)
  await resolve('return')
  moveClock(2 * DAY_MS)
  await drainDueOrders()
  assert.equal((await readOrder(shop.store, order.id)).status, 'failed')
})

test('accepting a smaller amount pays the order, and limits its refunds to that amount', async () => {
  const { read, resolve } = await mismatched({ amount: 2_400 })

  const { status } = await resolve('accept')

  assert.equal(status, 200)
  assert.partialDeepStrictEqual(await read(), {
    status: 'processing',
    payment_status: 'paid',
    amount_captured: 24,
    surpluses: [],
  })
})

test('accepting a larger amount returns the excess', async () => {
  const { read, resolve, refunds } = await mismatched({ amount: 2_600 })

  await resolve('accept')

  assert.partialDeepStrictEqual(await read(), {
    status: 'processing',
    amount_captured: 25,
    amount_refunded: 0,
    surpluses: [{ reason: 'overpaid', amount: 1, status: 'returned' }],
  })
  assert.partialDeepStrictEqual(refunds(), [{ amount: 100 }])
})

test('the note about a surplus keeps the status that its payment gave the order', async () => {
  const { read, resolve } = await mismatched({ amount: 2_600 })

  await resolve('accept')

  const { history } = await read()
  const note = history.find(({ note }: { note: string | null }) => note?.startsWith('A surplus of'))
  assert.partialDeepStrictEqual(note, { from_status: 'processing', to_status: 'processing' })
})

test('returning a mismatched payment refunds all of it; the order can be paid again', async () => {
  const { read, resolve, refunds, order, shop } = await mismatched({ amount: 2_600 })

  await resolve('return')

  assert.partialDeepStrictEqual(await read(), {
    status: 'pending',
    amount_captured: 0,
    surpluses: [{ reason: 'rejected', amount: 26, status: 'returned' }],
  })
  assert.partialDeepStrictEqual(refunds(), [{ amount: 2_600 }])
  const { status } = await request(`POST /orders/${order.id}/pay?access_token=${order.accessToken}`, {
    store: shop.store,
    key: order.id,
    headers: { Prefer: 'respond-async' },
    body: {},
  })
  assert.equal(status, 200)
})

for (const captured of [{ amount: 2_400 }, { currency: 'usd' }])
  test(`canceling an order returns a mismatched payment of ${JSON.stringify(captured)} without a decision`, async () => {
    const { read, order, shop, refunds } = await mismatched(captured)

    await request(`POST /orders/${order.id}/cancel?access_token=${order.accessToken}`, { store: shop.store })
    await drainJobs()

    const amount = captured.amount ?? 2_500
    assert.partialDeepStrictEqual(await read(), {
      status: 'canceled',
      surpluses: [{ reason: 'order_canceled', amount: amount / 100, status: 'returned' }],
    })
    assert.partialDeepStrictEqual(refunds(), [{ amount }])
  })

test('a capture of another amount after the cancellation is returned without a decision', async () => {
  const { read, refunds } = await mismatched({ amount: 2_600 }, { isCanceled: true })

  assert.partialDeepStrictEqual(await read(), {
    status: 'canceled',
    surpluses: [{ reason: 'order_canceled', amount: 26, status: 'returned' }],
  })
  assert.partialDeepStrictEqual(refunds(), [{ amount: 2_600 }])
})

test('money in another currency can only be returned, in that currency', async () => {
  const { read, resolve, refunds } = await mismatched({ currency: 'usd' })

  const { status, error_code } = await resolve('accept')
  await resolve('return')

  assert.deepEqual({ status, error_code }, { status: 422, error_code: 'payment.currency_mismatch' })
  assert.partialDeepStrictEqual(await read(), {
    amount_captured: 0,
    surpluses: [{ currency: 'USD', amount: 25, status: 'returned' }],
  })
  assert.partialDeepStrictEqual(refunds(), [{ amount: 2_500, currency: 'usd' }])
})

test('a second decision, and one about a matching payment, return 409', async () => {
  const { resolve } = await mismatched({ amount: 2_400 })
  await resolve('accept')

  const { status, error_code } = await resolve('return')

  assert.deepEqual({ status, error_code }, { status: 409, error_code: 'payment.not_mismatched' })
})

test('a refund made at the gateway before an acceptance is booked on the order', async () => {
  const { read, resolve, refundInDashboard } = await mismatched({ amount: 2_400 })
  await refundInDashboard(1_000)

  await resolve('accept')

  assert.partialDeepStrictEqual(await read(), {
    status: 'processing',
    amount_captured: 24,
    amount_refunded: 10,
  })
})

test('a whole refund made at the gateway before an acceptance refunds the order', async () => {
  const { read, resolve, refundInDashboard } = await mismatched({ amount: 2_400 })
  await refundInDashboard(2_400)

  await resolve('accept')

  assert.partialDeepStrictEqual(await read(), {
    status: 'refunded',
    amount_captured: 24,
    amount_refunded: 24,
  })
})

test('a refund made at the gateway before a return counts as returned; the rest is sent back', async () => {
  const { read, resolve, refundInDashboard, refunds } = await mismatched({ amount: 2_400 })
  await refundInDashboard(1_000)

  await resolve('return')

  assert.partialDeepStrictEqual((await read()).surpluses, [
    { status: 'returned', amount: 24, amount_returned: 24, attempts: 1 },
  ])
  assert.partialDeepStrictEqual(refunds(), [{ amount: 1_000 }, { amount: 1_400 }])
})

test('a list finds the orders with a payment to decide about, until staff have decided', async () => {
  const { order, undecided, resolve } = await mismatched({ amount: 2_400 })

  const before = await undecided()
  await resolve('accept')

  assert.deepEqual({ before, after: await undecided() }, { before: [order.id], after: [] })
})

testBooks()
