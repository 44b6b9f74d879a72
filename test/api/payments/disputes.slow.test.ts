import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import '#test/support/database.ts'
import '#test/support/processes/gateway.ts'
import { changeDispute, openDispute } from '#test/sandbox/gateway/disputes.ts'
import { bounceRefund } from '#test/sandbox/gateway/refunds.ts'
import type { DisputeStatus } from '#test/sandbox/gateway/types.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildOrderPaidByCard } from '#test/support/builders/card-order.ts'
import { buildReceivedReturn } from '#test/support/builders/returns.ts'
import { request } from '#test/support/processes/app.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { notify, sendEvent } from '#test/support/processes/notify.ts'
import { applyNotification } from '#workers/payments/notifications/apply-notification.ts'

test('an open dispute blocks the shipment, and is listed with its order', async () => {
  const { order, dispute, patch, read, events, token } = await buildOrderPaidByCard()
  const bankDecides = await dispute()

  const held = await patch('shipped')
  const parcel = await request(`POST /admin/orders/${order.id}/shipments`, { token, body: {} })
  await bankDecides('under_review')
  const stillHeld = await patch('shipped')

  assert.deepEqual(
    { held: held.error_code, parcel: parcel.error_code, stillHeld: stillHeld.error_code },
    { held: 'order.disputed', parcel: 'order.disputed', stillHeld: 'order.disputed' },
  )
  assert.partialDeepStrictEqual(await read(), {
    shipments: [],
    disputes: [{ status: 'under_review', amount: 25 }],
  })
  const { data } = await request('GET /admin/disputes?status=under_review', { token })
  assert.partialDeepStrictEqual(data, [{ reason: 'fraudulent', amount: 25, closed_at: null }])
  const [event] = await events('order.disputed')
  assert.partialDeepStrictEqual(event?.data, { dispute: { status: 'needs_response' } })
})

test('returned goods are neither credited nor replaced until the dispute of their order is closed', async () => {
  const { shop, order, dispute, patch, read, token } = await buildOrderPaidByCard()
  const { items } = await read()
  const lines = [{ id: items[0].id, variantId: shop.variantId, quantity: 2 }]
  await patch('shipped')
  const [credit, replacement] = [
    await buildReceivedReturn(shop.store, { id: order.id, lines }, { action: 'credit' }),
    await buildReceivedReturn(shop.store, { id: order.id, lines }, { action: 'replacement' }),
  ]
  const settle = async () => {
    const credited = await request(`POST /admin/returns/${credit.id}/refund`, {
      token,
      key: randomUUID(),
      body: {},
    })
    const replaced = await request(`POST /admin/returns/${replacement.id}/replace`, { token })
    return { credited: credited.error_code, replaced: replaced.error_code }
  }
  const bankDecides = await dispute()

  const during = await settle()
  const before = await read()
  await bankDecides('won')

  assert.deepEqual(during, { credited: 'order.disputed', replaced: 'order.disputed' })
  assert.equal(before.amount_refunded, 0)
  assert.deepEqual(await settle(), { credited: null, replaced: null })
})

test('a won dispute unblocks the shipment and moves no money', async () => {
  const { dispute, patch, read, events } = await buildOrderPaidByCard()
  const bankDecides = await dispute()

  await bankDecides('won')

  assert.equal((await patch('shipped')).status, 200)
  assert.partialDeepStrictEqual(await read(), { status: 'shipped', amount_refunded: 0 })
  const [event] = await events('order.dispute_closed')
  assert.partialDeepStrictEqual(event?.data, { dispute: { status: 'won' } })
})

test('a lost dispute is booked as refunded, once', async () => {
  const { dispute, read, events, order } = await buildOrderPaidByCard()
  const bankDecides = await dispute()

  await bankDecides('lost')
  const [lost] = gateway.ledger().disputes.filter(({ payment_intent }) => payment_intent === order.reference)
  await notify('charge.dispute.closed', lost ?? {})

  assert.partialDeepStrictEqual(await read(), { status: 'refunded', amount_refunded: 25 })
  const refunded = await events('order.refunded')
  assert.partialDeepStrictEqual(
    refunded.map(({ data }) => data.refund),
    [{ origin: 'dispute', amount: 25 }],
  )
  assert.equal((await events('order.dispute_closed')).length, 1)
})

test('a lost dispute of a part books that part', async () => {
  const { dispute, read } = await buildOrderPaidByCard()
  const bankDecides = await dispute(1_000)

  await bankDecides('lost')

  assert.partialDeepStrictEqual(await read(), { status: 'processing', amount_refunded: 10 })
})

test('a refund that fails after the whole payment was lost leaves the order refunded', async () => {
  const { read, refundInDashboard, dispute } = await buildOrderPaidByCard()
  const made = refundInDashboard(1_000)
  await notify('refund.created', made)
  const bankDecides = await dispute()
  await bankDecides('lost')
  assert.partialDeepStrictEqual(await read(), { status: 'refunded', amount_refunded: 25 })

  await notify('refund.failed', { ...made, status: 'failed', failure_reason: 'lost_or_stolen_card' })

  assert.partialDeepStrictEqual(await read(), { status: 'refunded', amount_refunded: 25 })
})

test('a dispute whose update event arrives before its opening event keeps the status of the update', async () => {
  const { order, read } = await buildOrderPaidByCard()
  const opened = gateway.change((context) => openDispute(context, { payment_intent: order.reference }))
  const updated = gateway.change((context) => changeDispute(context, opened.id, 'under_review'))

  await notify('charge.dispute.updated', updated)
  await notify('charge.dispute.created', opened)

  assert.partialDeepStrictEqual(await read(), { disputes: [{ status: 'under_review' }] })
})

test('a dispute whose closing event arrives before its opening event stays closed', async () => {
  const { order, read, patch } = await buildOrderPaidByCard()
  const opened = gateway.change((context) => openDispute(context, { payment_intent: order.reference }))
  const closed = gateway.change((context) => changeDispute(context, opened.id, 'won'))

  await notify('charge.dispute.closed', closed)
  await notify('charge.dispute.created', opened)

  assert.partialDeepStrictEqual(await read(), { disputes: [{ status: 'won' }] })
  assert.equal((await patch('shipped')).status, 200)
})

test('an earlier read of two concurrent events of a dispute does not replace a later one', async () => {
  const { order, read } = await buildOrderPaidByCard()
  const opened = gateway.change((context) => openDispute(context, { payment_intent: order.reference }))
  gateway.faults.set({ on: 'GET /v1/disputes/:id', mode: 'hang_after', times: 1 })
  await sendEvent('charge.dispute.created', opened)
  const earlier = drainJobs([applyNotification])
  await gateway.waitFor('received', { path: `/v1/disputes/${opened.id}` })
  // The gateway has read the dispute, and its answer waits.
  await setImmediate()

  const updated = gateway.change((context) => changeDispute(context, opened.id, 'under_review'))
  await notify('charge.dispute.updated', updated)
  assert.partialDeepStrictEqual(await read(), { disputes: [{ status: 'under_review' }] })
  await gateway.release()
  await earlier

  assert.partialDeepStrictEqual(await read(), { disputes: [{ status: 'under_review' }] })
})

test('a closed inquiry that becomes a dispute blocks the shipment', async () => {
  const { order, read, patch, events } = await buildOrderPaidByCard()
  const inquiry = gateway.change((context) =>
    openDispute(context, { payment_intent: order.reference, status: 'warning_needs_response' }),
  )
  await notify('charge.dispute.created', inquiry)
  await notify(
    'charge.dispute.closed',
    gateway.change((context) => changeDispute(context, inquiry.id, 'warning_closed')),
  )

  const escalated = gateway.change((context) =>
    context.books.put('disputes', { ...inquiry, status: 'needs_response' }),
  )
  await notify('charge.dispute.updated', escalated)

  assert.partialDeepStrictEqual(await read(), { disputes: [{ status: 'needs_response', closed_at: null }] })
  assert.equal((await patch('shipped')).error_code, 'order.disputed')
  assert.equal((await events('order.disputed')).length, 2)
})

test('a dispute shows the amount that the bank has changed, and that amount is booked when it is lost', async () => {
  const { order, read, events } = await buildOrderPaidByCard()
  const inquiry = gateway.change((context) =>
    openDispute(context, {
      payment_intent: order.reference,
      amount: 1_000,
      status: 'warning_needs_response',
    }),
  )
  await notify('charge.dispute.created', inquiry)

  const escalated = gateway.change((context) =>
    context.books.put('disputes', { ...inquiry, amount: 1_500, reason: 'general', status: 'needs_response' }),
  )
  await notify('charge.dispute.updated', escalated)
  assert.partialDeepStrictEqual(await read(), { disputes: [{ amount: 15, reason: 'general' }] })
  assert.equal((await events('order.disputed')).length, 1)

  gateway.change((context) => context.books.put('disputes', { ...escalated, amount: 2_000 }))
  const lost = gateway.change((context) => changeDispute(context, inquiry.id, 'lost'))
  await notify('charge.dispute.closed', lost)
  assert.partialDeepStrictEqual(await read(), {
    amount_refunded: 20,
    disputes: [{ amount: 20, status: 'lost' }],
  })
})

/** Gives a dispute another status or amount at the gateway, whose bank had decided, and delivers the event. */

async function revise(reference: string, changes: { status?: DisputeStatus; amount?: number }) {
  const [known] = gateway.ledger().disputes.filter(({ payment_intent }) => payment_intent === reference)
  if (!known) throw new Error(`${reference} has no dispute`)
  const revised = gateway.change(({ books }) => books.put('disputes', { ...known, ...changes }))
  await notify('charge.dispute.updated', revised)
}

test('a lost dispute that the bank revises is subtracted, and booked again when it is lost again', async () => {
  const { order, dispute, read, events, compareWithLedger } = await buildOrderPaidByCard()
  const bankDecides = await dispute(1_000)
  await bankDecides('lost')

  await revise(order.reference, { status: 'won' })
  const won = await read()
  await revise(order.reference, { status: 'won' })
  await revise(order.reference, { status: 'lost', amount: 1_500 })

  assert.partialDeepStrictEqual(won, { amount_refunded: 0, disputes: [{ status: 'won' }] })
  assert.partialDeepStrictEqual(await read(), {
    status: 'processing',
    amount_refunded: 15,
    disputes: [{ status: 'lost', amount: 15 }],
  })
  assert.deepEqual(await compareWithLedger(), [])
  const failed = await events('order.refund_failed')
  assert.deepEqual(
    failed.map(({ data }) => data.refund.amount),
    [10],
  )
})

for (const sent of ['shipped', 'complete'] as const)
  test(`an order that was ${sent} is so again when the bank revises a lost dispute, and owes nothing`, async () => {
    const { order, token, dispute, read, patch, compareWithLedger } = await buildOrderPaidByCard()
    await patch(sent)
    const bankDecides = await dispute()
    await bankDecides('lost')
    const lost = await read()

    await revise(order.reference, { status: 'won' })
    const won = await read()
    const { data: owed } = await request('GET /admin/orders?refund_owed=true', { token })
    await revise(order.reference, { status: 'lost' })

    assert.partialDeepStrictEqual(lost, { status: 'refunded', amount_refunded: 25 })
    assert.partialDeepStrictEqual(won, {
      status: sent,
      payment_status: 'paid',
      amount_refunded: 0,
      refund_owed: false,
      disputes: [{ status: 'won' }],
    })
    assert.partialDeepStrictEqual(won.history.at(-1), { from_status: 'refunded', to_status: sent })
    assert.deepEqual(owed, [])
    assert.partialDeepStrictEqual(await read(), { status: 'refunded', amount_refunded: 25 })
    assert.deepEqual(await compareWithLedger(), [])
  })

test('an order that was not sent stays refunded when the bank revises a lost dispute, and owes the money', async () => {
  const { order, token, dispute, read } = await buildOrderPaidByCard()
  const bankDecides = await dispute()
  await bankDecides('lost')

  await revise(order.reference, { status: 'won' })
  const won = await read()
  const { data: owed } = await request('GET /admin/orders?refund_owed=true', { token })
  await request(`POST /admin/orders/${order.id}/refunds`, {
    token,
    key: randomUUID(),
    body: { amount: 25, outside_gateway: true, reason: 'By transfer' },
  })

  assert.partialDeepStrictEqual(won, { status: 'refunded', amount_refunded: 0, refund_owed: true })
  assert.partialDeepStrictEqual(owed, [{ id: order.id }])
  assert.partialDeepStrictEqual(await read(), { amount_refunded: 25, refund_owed: false })
})

test('an order that staff have refunded stays so when the bank revises a dispute, and owes what bounced', async () => {
  const { order, dispute, read, patch } = await buildOrderPaidByCard()
  await patch('shipped')
  await patch('refunded')
  const bankDecides = await dispute()
  await bankDecides('lost')
  const [refund] = gateway.ledger().refunds.filter(({ payment_intent }) => payment_intent === order.reference)
  const bounced = gateway.change((context) => bounceRefund(context, refund?.id ?? ''))
  await notify('refund.failed', bounced)
  assert.partialDeepStrictEqual(await read(), { status: 'refunded', amount_refunded: 25 })

  await revise(order.reference, { status: 'won' })

  assert.partialDeepStrictEqual(await read(), { status: 'refunded', amount_refunded: 0, refund_owed: true })
})

test('a lost dispute that the bank reopens blocks the shipment', async () => {
  const { order, dispute, read, patch } = await buildOrderPaidByCard()
  const bankDecides = await dispute(1_000)
  await bankDecides('lost')

  await revise(order.reference, { status: 'under_review' })

  assert.partialDeepStrictEqual(await read(), { amount_refunded: 0, disputes: [{ closed_at: null }] })
  assert.equal((await patch('shipped')).error_code, 'order.disputed')
})

test('a won dispute that the bank then decides for the buyer is announced as disputed and closed again', async () => {
  const { order, dispute, read, events } = await buildOrderPaidByCard()
  const bankDecides = await dispute()
  await bankDecides('won')

  await revise(order.reference, { status: 'lost' })

  assert.partialDeepStrictEqual(await read(), { status: 'refunded', disputes: [{ status: 'lost' }] })
  const statuses = async (type: string) => (await events(type)).map(({ data }) => data.dispute.status)
  assert.deepEqual(await statuses('order.disputed'), ['needs_response', 'lost'])
  assert.deepEqual(await statuses('order.dispute_closed'), ['won', 'lost'])
})

test('a lost dispute whose amount the bank changes is booked with that amount', async () => {
  const { order, dispute, read, compareWithLedger } = await buildOrderPaidByCard()
  const bankDecides = await dispute(1_000)
  await bankDecides('lost')

  await revise(order.reference, { amount: 700 })

  assert.partialDeepStrictEqual(await read(), { amount_refunded: 7, disputes: [{ amount: 7 }] })
  assert.deepEqual(await compareWithLedger(), [])
})

test('money outside the gateway is refused while a dispute is open, unless with override', async () => {
  const { order, token, dispute, read } = await buildOrderPaidByCard()
  await dispute()
  const payOutside = (more: object = {}) =>
    request(`POST /admin/orders/${order.id}/refunds`, {
      token,
      key: randomUUID(),
      body: { amount: 10, outside_gateway: true, reason: 'By transfer', ...more },
    })

  const refused = await payOutside()
  const before = await read()
  const overridden = await payOutside({ override: true })

  assert.deepEqual(
    { refused: refused.error_code, overridden: overridden.status },
    { refused: 'order.disputed', overridden: 201 },
  )
  assert.equal(before.amount_refunded, 0)
  assert.equal((await read()).amount_refunded, 10)
})

test('a refund above the refundable amount shows the difference as its excess, and so does the history of the order', async () => {
  const { order, token, dispute, read } = await buildOrderPaidByCard()
  await request(`POST /admin/orders/${order.id}/refunds`, {
    token,
    key: randomUUID(),
    body: { amount: 20, outside_gateway: true, reason: 'By transfer' },
  })
  const bankDecides = await dispute()

  await bankDecides('lost')

  const { amount_refunded, history } = await read()
  const { data } = await request(`GET /admin/orders/${order.id}/refunds`, { token })
  assert.equal(amount_refunded, 25)
  assert.partialDeepStrictEqual(data, [
    { origin: 'dispute', amount: 25, excess_amount: 20 },
    { origin: 'store', amount: 20, excess_amount: 0 },
  ])
  assert.ok(history.some(({ note }: { note: string }) => note.startsWith('20 EUR were refunded above')))
})

testBooks()
