import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/processes/gateway.ts'
import { returnSurplus } from '#shared/payments/jobs.ts'
import { recoverPayments } from '#shared/payments/recover-payments.ts'
import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { pendingPayloads } from '#shared/platform/jobs/pending-jobs.ts'
import { MINUTE_MS } from '#shared/platform/time/clock.ts'
import { changeDispute, openDispute } from '#test/sandbox/gateway/disputes.ts'
import { settleRefund } from '#test/sandbox/gateway/refunds.ts'
import { eventsOf } from '#test/support/books/read-refunds.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildShop, confirm, placeCardOrder } from '#test/support/builders/place-orders.ts'
import { moveClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { notify } from '#test/support/processes/notify.ts'

/**
 * A card order that staff mark as paid, and that the buyer pays by card all the same. The gateway refuses some returns.
 */
async function paidTwice({ card = 'pm_card_visa', refusedReturns = 0 } = {}) {
  const shop = await buildShop(10)
  const order = await placeCardOrder(shop, 2)
  const { token } = await buildStaff(shop.store, { role: 'owner' })
  const intent = await confirm(order.reference, card)
  await request(`POST /admin/orders/${order.id}/mark-paid`, { token, body: {} })
  if (refusedReturns > 0)
    gateway.faults.set({ on: 'POST /v1/refunds', mode: 'decline', times: refusedReturns })
  await notify('payment_intent.succeeded', intent)
  const read = async () => (await request(`GET /admin/orders/${order.id}`, { token })).data
  return {
    shop,
    order,
    token,
    read,
    surplus: async () => (await read()).surpluses[0],
    refund: (body: object) =>
      request(`POST /admin/orders/${order.id}/refunds`, {
        token,
        key: randomUUID(),
        headers: { Prefer: 'respond-async' },
        body,
      }),
    patch: (status: string) =>
      request(`PATCH /admin/orders/${order.id}`, {
        token,
        headers: { Prefer: 'respond-async' },
        body: { status },
      }),
    refundsAtGateway: () =>
      gateway.ledger().refunds.filter(({ payment_intent }) => payment_intent === order.reference),
  }
}

/** The order's queue has lost the jobs of the surplus. */
const loseReturns = (orderStoreId: string) =>
  db().raw("delete from pgboss.job where name = ? and data->>'storeId' = ?", [
    returnSurplus.queue,
    orderStoreId,
  ])

test('a second payment is a surplus that is returned, apart from the amounts of the order', async () => {
  const { read, refundsAtGateway } = await paidTwice()

  const order = await read()

  assert.partialDeepStrictEqual(order, { status: 'processing', amount_captured: 25, amount_refunded: 0 })
  assert.partialDeepStrictEqual(order.surpluses, [
    { reason: 'paid_twice', status: 'returned', amount: 25, amount_returned: 25, attempts: 1 },
  ])
  assert.partialDeepStrictEqual(refundsAtGateway(), [{ amount: 2_500, status: 'succeeded' }])
})

test('a refund by staff leaves the surplus owed and is not its return', async () => {
  const { read, refund, refundsAtGateway, surplus } = await paidTwice({ card: 'pm_card_pendingRefund' })

  const { status, data } = await refund({ amount: 20 })
  await drainJobs()

  assert.partialDeepStrictEqual({ status, data }, { status: 201, data: { amount: 20, origin: 'store' } })
  assert.partialDeepStrictEqual(await read(), { amount_captured: 25, amount_refunded: 20 })
  const [made] = refundsAtGateway()
  assert.partialDeepStrictEqual(refundsAtGateway(), [{ amount: 2_500, status: 'pending' }])
  assert.partialDeepStrictEqual(await surplus(), { status: 'owed', amount_returned: 0 })

  gateway.change((context) => settleRefund(context, made?.id ?? '', 'succeeded'))
  await notify('refund.updated', { ...made, status: 'succeeded' })

  assert.partialDeepStrictEqual(await surplus(), { status: 'returned', amount_returned: 25 })
  assert.partialDeepStrictEqual(await read(), { amount_captured: 25, amount_refunded: 20 })
})

test('an order whose surplus is being returned can be refunded in full', async () => {
  const { patch, read } = await paidTwice({ card: 'pm_card_pendingRefund' })

  const { status } = await patch('refunded')

  assert.equal(status, 200)
  assert.partialDeepStrictEqual(await read(), {
    status: 'refunded',
    amount_captured: 25,
    amount_refunded: 25,
  })
})

test('a return that the gateway refuses is tried again after a pause; the order shows the reason', async () => {
  const { shop, order, surplus } = await paidTwice({ refusedReturns: 1 })

  assert.partialDeepStrictEqual(await surplus(), {
    status: 'owed',
    attempts: 1,
    failure_reason: 'charge_disputed',
  })
  assert.equal((await eventsOf(shop.store, order.id, 'order.refund_failed')).length, 1)
  moveClock(6 * MINUTE_MS)
  await drainJobs()
  assert.partialDeepStrictEqual(await surplus(), { status: 'returned', attempts: 2, failure_reason: '' })
})

test('a return that the bank sends back is owed again, and returned again', async () => {
  const { order, surplus, refundsAtGateway } = await paidTwice()
  const [made] = refundsAtGateway()

  // The bank reverses it: the charge has the money again.
  gateway.change((context) => {
    const charge = context.books.find('charges', made?.charge ?? '')
    if (charge) context.books.put('charges', { ...charge, amount_refunded: 0, refunded: false })
  })
  await notify('refund.failed', { ...made, status: 'failed', failure_reason: 'lost_or_stolen_card' })

  assert.partialDeepStrictEqual(await surplus(), {
    status: 'owed',
    amount_returned: 0,
    failure_reason: 'lost_or_stolen_card',
  })
  moveClock(6 * MINUTE_MS)
  await drainJobs()
  assert.partialDeepStrictEqual(await surplus(), { status: 'returned', attempts: 2 })
  assert.equal(gateway.ledger().refunds.filter((r) => r.payment_intent === order.reference).length, 2)
})

/** The number of a store's returns that wait: other tests of this file may leave some, too. */
const waitingReturns = async (storeId: string): Promise<number> =>
  (await pendingPayloads(returnSurplus, storeId)).length

test('a return whose job was lost is started by the next recovery, once', async () => {
  const { shop, order, token } = await paidTwice({ refusedReturns: 1 })
  await loseReturns(shop.store.id)
  moveClock(10 * MINUTE_MS)

  await recoverPayments()
  const first = await waitingReturns(shop.store.id)
  await drainJobs()
  await recoverPayments()
  const second = await waitingReturns(shop.store.id)

  assert.deepEqual({ first, second }, { first: 1, second: 0 })
  const { data } = await request(`GET /admin/orders/${order.id}`, { token })
  assert.partialDeepStrictEqual(data.surpluses, [{ status: 'returned' }])
})

test('a surplus that the gateway cannot return is marked as returned by staff, and not returned again', async () => {
  const { order, token, surplus } = await paidTwice({ refusedReturns: 1 })
  const owed = await surplus()
  const markReturned = (surplus_id: string) =>
    request(`POST /admin/orders/${order.id}/mark-surplus-returned`, {
      token,
      body: { surplus_id, reason: 'Transfer of 14 October' },
    })

  const marked = await markReturned(owed.id)
  const again = await markReturned(owed.id)
  moveClock(6 * MINUTE_MS)
  await drainJobs()

  assert.partialDeepStrictEqual(marked.data, {
    amount_refunded: 0,
    surpluses: [{ status: 'returned', amount_returned: 25, next_attempt_at: null }],
  })
  assert.deepEqual({ again: again.error_code }, { again: 'order.nothing_to_refund' })
  assert.equal(gateway.ledger().refunds.filter((made) => made.payment_intent === order.reference).length, 0)
})

test('a list finds an order whose surplus the gateway refuses to return, until staff mark it as returned', async () => {
  const { order, token, surplus } = await paidTwice({ refusedReturns: 1 })
  const list = async () =>
    (await request('GET /admin/orders?needs=refund', { token })).data.map(({ id }: { id: string }) => id)
  const refused = await list()

  const body = { surplus_id: (await surplus()).id, reason: 'Transfer of 14 October' }
  await request(`POST /admin/orders/${order.id}/mark-surplus-returned`, { token, body })

  assert.deepEqual({ refused, returned: await list() }, { refused: [order.id], returned: [] })
})

test('staff cannot mark a surplus whose refund is in progress, or of another order, as returned', async () => {
  const { order, token, surplus } = await paidTwice({ card: 'pm_card_pendingRefund' })
  const { id } = await surplus()
  const other = await paidTwice()
  const markReturned = (orderId: string, staff: string) =>
    request(`POST /admin/orders/${orderId}/mark-surplus-returned`, {
      token: staff,
      body: { surplus_id: id, reason: 'By transfer' },
    })

  const underWay = await markReturned(order.id, token)
  const foreign = await markReturned(other.order.id, other.token)

  assert.deepEqual(
    { underWay: underWay.error_code, foreign: foreign.error_code },
    { underWay: 'refund.in_progress', foreign: 'resource.not_found' },
  )
})

test('many jobs for one surplus make one refund', async () => {
  const { shop, surplus, refundsAtGateway } = await paidTwice({ card: 'pm_card_pendingRefund' })
  const { id: surplusId } = await surplus()

  await Promise.all(
    Array.from({ length: 5 }, () =>
      inStore(shop.store.id, (tx) => enqueue(tx, returnSurplus, { surplusId })),
    ),
  )
  await drainJobs()

  assert.equal(refundsAtGateway().length, 1)
})

test('staff cannot mark a disputed surplus as returned: the buyer could get it twice', async () => {
  const { order, token, surplus } = await paidTwice({ refusedReturns: 1 })
  const { id } = await surplus()
  const dispute = gateway.change((context) => openDispute(context, { payment_intent: order.reference }))
  await notify('charge.dispute.created', dispute)
  const markReturned = () =>
    request(`POST /admin/orders/${order.id}/mark-surplus-returned`, {
      token,
      body: { surplus_id: id, reason: 'By transfer' },
    })

  const refused = await markReturned()
  await notify(
    'charge.dispute.closed',
    gateway.change((context) => changeDispute(context, dispute.id, 'lost')),
  )
  const lost = await surplus()

  assert.equal(refused.error_code, 'order.disputed')
  assert.partialDeepStrictEqual(lost, { status: 'returned', amount_returned: 25 })
  assert.equal((await markReturned()).error_code, 'order.nothing_to_refund')
})

testBooks()
