import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/processes/gateway.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { settleRefund } from '#shared/refunds/settle/settle-refund.ts'
import { stockOf } from '#test/support/books/observe-orders.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildCapturedOrder } from '#test/support/builders/captured-order.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'

beforeEach(() => mailbox.clear())

/** A paid order of three mugs and two stools, outside the gateway. */
async function scene() {
  const store = await buildStore()
  const order = await buildCapturedOrder(store, {
    lines: [
      { priceMinor: 1_000n, quantity: 3 },
      { priceMinor: 2_000n, quantity: 2 },
    ],
  })
  const { token } = await buildStaff(store, { role: 'owner' })
  const [mugs, stools] = order.lines
  const path = `/admin/orders/${order.id}`
  const units = (line: typeof mugs, quantity: number) => ({ order_item_id: line?.id ?? '', quantity })
  return {
    store,
    order,
    token,
    mugs,
    stools,
    units,
    ship: (body: object = {}) => request(`POST ${path}/shipments`, { token, body }),
    refund: (body: object) =>
      request(`POST ${path}/refunds`, {
        token,
        key: randomUUID(),
        headers: { Prefer: 'respond-async' },
        body,
      }),
    patch: (body: object) => request(`PATCH ${path}`, { token, body }),
    remove: (id: string) => request(`DELETE ${path}/shipments/${id}`, { token }),
    read: async () => (await request(`GET ${path}`, { token })).data,
    stock: (line: typeof mugs) => stockOf(store, line?.variantId ?? ''),
  }
}

test('an order is shipped in parts, and the last one makes it shipped', async () => {
  const { ship, read, units, mugs, stools, stock } = await scene()

  const first = await ship({ items: [units(mugs, 2)], carrier: 'DHL', tracking_number: '1' })
  const between = await read()
  const betweenStock = await stock(mugs)
  const second = await ship({ carrier: 'UPS', tracking_number: '2' })

  assert.deepEqual({ first: first.status, second: second.status }, { first: 201, second: 201 })
  assert.partialDeepStrictEqual(between, {
    status: 'processing',
    fulfillment_status: 'partially_fulfilled',
    items: [{ shipped_quantity: 2 }, { shipped_quantity: 0 }],
  })
  assert.partialDeepStrictEqual(betweenStock, { onHand: 98, allocated: 1 })
  assert.partialDeepStrictEqual(await read(), {
    status: 'shipped',
    fulfillment_status: 'fulfilled',
    items: [{ shipped_quantity: 3 }, { shipped_quantity: 2 }],
    shipments: [
      { carrier: 'DHL', tracking_number: '1', items: [{ quantity: 2 }] },
      { carrier: 'UPS', tracking_number: '2' },
    ],
  })
  assert.partialDeepStrictEqual(await stock(mugs), { onHand: 97, allocated: 0 })
  assert.partialDeepStrictEqual(await stock(stools), { onHand: 98, allocated: 0 })
})

test('more units than are left return 422 and ship nothing, also of concurrent shipments', async () => {
  const { ship, units, mugs, stock } = await scene()

  const answers = await Promise.all([1, 2, 3].map(() => ship({ items: [units(mugs, 2)] })))

  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422, 422])
  const refused = answers.find(({ status }) => status === 422)
  assert.equal(refused?.error_code, 'shipment.quantity_exceeded')
  assert.partialDeepStrictEqual(await stock(mugs), { onHand: 98, allocated: 1 })
})

test('another shipment of an order without units left returns shipment.nothing_left', async () => {
  const { ship, refund, units, mugs, stools } = await scene()
  await ship({ items: [units(mugs, 3)] })
  await refund({ items: [units(stools, 2)] })
  await drainJobs()

  const refused = await ship()

  assert.partialDeepStrictEqual(refused, { status: 409, error_code: 'shipment.nothing_left' })
})

test('a line that is unknown or listed twice returns 422', async () => {
  const { ship, units, mugs } = await scene()

  const unknown = await ship({ items: [{ order_item_id: randomUUID(), quantity: 1 }] })
  const twice = await ship({ items: [units(mugs, 1), units(mugs, 1)] })

  assert.deepEqual(
    { unknown: unknown.error_code, twice: twice.error_code },
    { unknown: 'validation.failed', twice: 'validation.failed' },
  )
})

test('units that were refunded before they shipped are not shipped', async () => {
  const { ship, refund, read, units, mugs, stools, stock } = await scene()
  await refund({ items: [units(mugs, 2)], restock: true })

  const tooMany = await ship({ items: [units(mugs, 2)] })
  await ship()

  assert.equal(tooMany.error_code, 'shipment.quantity_exceeded')
  assert.partialDeepStrictEqual(await read(), {
    status: 'shipped',
    items: [{ shipped_quantity: 1, refunded_quantity: 2 }, { shipped_quantity: 2 }],
  })
  assert.partialDeepStrictEqual(await stock(mugs), { onHand: 99, allocated: 0, held: 0 })
  assert.partialDeepStrictEqual(await stock(stools), { onHand: 98, allocated: 0, held: 0 })
})

for (const restock of [true, false])
  test(`refunded units whose shipment is deleted do not ship, restocked: ${restock}`, async () => {
    const { ship, refund, remove, patch, read, units, mugs, stools, stock } = await scene()
    const { data } = await ship({ items: [units(mugs, 1)] })
    await refund({ items: [units(mugs, 3)], restock })

    await remove(data.id)

    assert.equal((await ship({ items: [units(mugs, 1)] })).error_code, 'shipment.quantity_exceeded')
    await ship({ items: [units(stools, 1)] })
    await patch({ status: 'complete' })
    assert.partialDeepStrictEqual(await read(), {
      status: 'complete',
      items: [
        { shipped_quantity: 0, refunded_quantity: 3 },
        { shipped_quantity: 2, refunded_quantity: 0 },
      ],
    })
    assert.partialDeepStrictEqual(await stock(mugs), { onHand: restock ? 100 : 97, allocated: 0 })
  })

test('a refund that bounces lets its units ship again', async () => {
  const { store, ship, refund, units, mugs } = await scene()
  const { data } = await refund({ items: [units(mugs, 2)] })
  assert.equal((await ship({ items: [units(mugs, 2)] })).status, 422)

  await inStore(store.id, (tx) =>
    settleRefund(tx, data.id, { status: 'failed', reference: null, failureReason: 'returned' }),
  )

  assert.equal((await ship({ items: [units(mugs, 2)] })).status, 201)
})

test('units whose refund with restock bounces are allocated again when they ship', async () => {
  const { store, ship, refund, units, mugs, stock } = await scene()
  const { data } = await refund({ items: [units(mugs, 2)], restock: true })
  await inStore(store.id, (tx) =>
    settleRefund(tx, data.id, { status: 'failed', reference: null, failureReason: 'returned' }),
  )
  assert.partialDeepStrictEqual(await stock(mugs), { onHand: 100, allocated: 1 })

  const { status } = await ship({ items: [units(mugs, 3)] })

  assert.equal(status, 201)
  assert.partialDeepStrictEqual(await stock(mugs), { onHand: 97, allocated: 0 })
})

test('units whose refund with restock bounces do not ship when they are sold to others', async () => {
  const { store, token, ship, refund, units, mugs, stock } = await scene()
  const { data } = await refund({ items: [units(mugs, 2)], restock: true })
  await request(`POST /admin/variants/${mugs?.variantId}/stock`, {
    token,
    body: { delta: -98, note: 'Sold at the market' },
  })
  await inStore(store.id, (tx) =>
    settleRefund(tx, data.id, { status: 'failed', reference: null, failureReason: 'returned' }),
  )
  const before = await stock(mugs)

  const { status, error_code } = await ship({ items: [units(mugs, 3)] })

  assert.deepEqual({ status, error_code }, { status: 409, error_code: 'checkout.insufficient_stock' })
  assert.deepEqual(await stock(mugs), before)
})

test('a return holds at most the units that are shipped', async () => {
  const { order, token, ship, units, mugs } = await scene()
  const ask = (quantity: number) =>
    request('POST /admin/returns', {
      token,
      body: {
        order_id: order.id,
        action: 'refund',
        items: [{ ...units(mugs, quantity), reason: 'unwanted' }],
      },
    })

  const unshipped = await ask(1)
  await ship({ items: [units(mugs, 2)] })
  const tooMany = await ask(3)
  const accepted = await ask(2)

  assert.deepEqual(
    { unshipped: unshipped.error_code, tooMany: tooMany.error_code, accepted: accepted.status },
    { unshipped: 'return.order_not_shipped', tooMany: 'return.quantity_exceeded', accepted: 201 },
  )
})

test('after the refund of a return, the unshipped units can be shipped', async () => {
  const { order, token, ship, read, units, mugs } = await scene()
  await ship({ items: [units(mugs, 2)] })
  const { data: rma } = await request('POST /admin/returns', {
    token,
    body: { order_id: order.id, action: 'refund', items: [{ ...units(mugs, 1), reason: 'unwanted' }] },
  })
  const step = (name: string, body: object = {}) =>
    request(`POST /admin/returns/${rma.id}/${name}`, { token, key: randomUUID(), body })
  await step('approve')
  await step('receive', { items: [{ id: rma.items[0].id, disposition: 'not_restocked' }] })
  await step('refund')

  const rest = await ship()

  assert.equal(rest.status, 201)
  assert.partialDeepStrictEqual(await read(), {
    status: 'shipped',
    items: [{ shipped_quantity: 3, refunded_quantity: 1 }, { shipped_quantity: 2 }],
  })
})

test('a deleted shipment allocates its units again, until the whole order is shipped', async () => {
  const { ship, remove, read, units, mugs, stock } = await scene()
  const { data: first } = await ship({ items: [units(mugs, 2)] })

  const removed = await remove(first.id)

  assert.equal(removed.status, 200)
  assert.partialDeepStrictEqual(await read(), { fulfillment_status: 'unfulfilled', shipments: [] })
  assert.partialDeepStrictEqual(await stock(mugs), { onHand: 100, allocated: 3 })
  const { data: whole } = await ship()
  assert.equal((await remove(whole.id)).error_code, 'shipment.not_deletable')
})

test('a shipment cannot be deleted while its units are on a return', async () => {
  const { order, token, ship, remove, read, units, mugs } = await scene()
  await ship({ items: [units(mugs, 1)] })
  const { data: second } = await ship({ items: [units(mugs, 2)] })
  const returned = await request('POST /admin/returns', {
    token,
    body: { order_id: order.id, action: 'replacement', items: [{ ...units(mugs, 2), reason: 'damaged' }] },
  })

  const refused = await remove(second.id)
  const { items } = await read()
  await request(`POST /admin/returns/${returned.data.id}/cancel`, { token, body: {} })
  const removed = await remove(second.id)

  assert.partialDeepStrictEqual(refused, { status: 409, error_code: 'shipment.not_deletable' })
  assert.match(String(refused.error), /contains units of Line 1.* Cancel the return/)
  assert.equal(items[0]?.shipped_quantity, 3)
  assert.equal(removed.status, 200)
})

test('the status shipped ships the remaining units as one shipment', async () => {
  const { ship, patch, read, units, mugs } = await scene()
  await ship({ items: [units(mugs, 1)] })

  await patch({ status: 'shipped' })

  const { status, shipments } = await read()
  assert.equal(status, 'shipped')
  assert.partialDeepStrictEqual(shipments, [
    { items: [{ quantity: 1 }] },
    { items: [{ quantity: 2 }, { quantity: 2 }] },
  ])
  assert.equal((await ship()).error_code, 'order.invalid_transition')
})

test('the buyer is mailed each shipment with its tracking, unless notify is false', async () => {
  const { ship, units, mugs } = await scene()
  await drainJobs()
  mailbox.clear()

  await ship({ items: [units(mugs, 1)], notify: false })
  await ship({
    items: [units(mugs, 2)],
    carrier: 'DHL',
    tracking_number: '0034',
    tracking_url: 'https://track.example/0034',
  })
  await drainJobs()

  const [mail, ...others] = mailbox.mails()
  assert.equal(others.length, 0)
  assert.match(mail?.text ?? '', /Goods: 2 × Line 1\nCarrier: DHL\nTracking number: 0034/)
  assert.match(mail?.text ?? '', /Track your parcel:\nhttps:\/\/track\.example\/0034/)
})

test('tracking can be changed, and a URL that is no web address returns 422', async () => {
  const { order, token, ship } = await scene()
  const { data } = await ship()
  const change = (body: object) =>
    request(`PATCH /admin/orders/${order.id}/shipments/${data.id}`, { token, body })

  const changed = await change({ tracking_url: 'https://track.example/1', carrier: 'GLS' })
  const refused = await change({ tracking_url: 'javascript:alert(1)' })

  assert.partialDeepStrictEqual(changed.data, { carrier: 'GLS', tracking_url: 'https://track.example/1' })
  assert.equal(refused.status, 422)
})

test('a change and the deletion of a shipment are audited as changes of its order', async () => {
  const { store, order, ship, remove, units, mugs } = await scene()
  const { token } = await buildStaff(store, { role: 'administrator' })
  const { data } = await ship({ items: [units(mugs, 1)], tracking_number: '1' })
  const path = `/admin/orders/${order.id}/shipments/${data.id}`

  await request(`PATCH ${path}`, { token, body: { tracking_number: '2' } })
  await remove(data.id)

  const log = await request(`GET /admin/audit-log?resource_id=${order.id}`, { token })
  const [deleted, changed] = log.data
  assert.partialDeepStrictEqual(changed, {
    action: 'patchAdminOrdersOrderIdShipmentsShipmentId',
    resource: { type: 'orders', id: order.id },
    before: { shipments: [{ id: data.id, tracking_number: '1' }] },
    after: { shipments: [{ id: data.id, tracking_number: '2' }] },
  })
  assert.partialDeepStrictEqual(deleted, {
    action: 'deleteAdminOrdersOrderIdShipmentsShipmentId',
    resource: { type: 'orders', id: order.id },
    before: { shipments: [{ id: data.id, tracking_number: '2' }] },
    after: { shipments: [] },
  })
})

test('a shipment of an order that is unpaid, unknown or another store’s ships nothing', async () => {
  const { order } = await scene()
  const other = await buildStaff(await buildStore(), { role: 'owner' })

  const { status } = await request(`POST /admin/orders/${order.id}/shipments`, {
    token: other.token,
    body: {},
  })

  assert.equal(status, 404)
})

test('the 200th shipment of an order must have all units that are left', async () => {
  const { store, order, ship, units, mugs, stools } = await scene()
  const { data: first } = await ship({ items: [units(mugs, 1)] })
  await inStore(store.id, ({ knex }) =>
    knex.raw(
      `insert into shipments select copy.* from shipments one, generate_series(1, 198) n,
         jsonb_populate_record(one, jsonb_build_object('id', gen_random_uuid(), 'carrier', n::text)) copy
       where one.id = ? and one.order_id = ?`,
      [first.id, order.id],
    ),
  )

  const part = await ship({ items: [units(mugs, 1)] })
  const rest = await ship({ items: [units(mugs, 2), units(stools, 2)] })

  assert.partialDeepStrictEqual(part, { status: 409, error_code: 'shipment.limit_reached' })
  assert.equal(rest.status, 201)
})
