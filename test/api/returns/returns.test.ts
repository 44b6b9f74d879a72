import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ignoreBooksOf, testBooks } from '#test/support/test-books.ts'
import '#test/support/database.ts'
import { changeOrderStatus } from '#shared/orders/status/change-order-status.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { refundRemainder } from '#shared/refunds/request-refund.ts'
import { settleRefund } from '#shared/refunds/settle/settle-refund.ts'
import { type Asked, request } from '#test/support/app.ts'
import { buildStore } from '#test/support/build.ts'
import { buildCustomer, buildStaff } from '#test/support/build-accounts.ts'
import { buildCapturedOrder, type GivenOrder } from '#test/support/build-captured-order.ts'
import { buildReceivedReturn, buildReturn, buildShippedOrder } from '#test/support/build-returns.ts'
import { buildVoucher, readVoucher } from '#test/support/build-vouchers.ts'
import { freezeClock } from '#test/support/clock.ts'
import { countQueries } from '#test/support/count-queries.ts'
import { gateway } from '#test/support/gateway.ts'
import { drainJobs } from '#test/support/jobs.ts'
import { stockOf } from '#test/support/observe-orders.ts'
import { buildShop, checkOut, fillCart } from '#test/support/place-orders.ts'
import { readOrder } from '#test/support/read-refunds.ts'
import { withWorker } from '#test/support/with-worker.ts'

const AT_ONCE = { prefer: 'respond-async' }

async function scene(given: GivenOrder = {}, role = 'accounting') {
  const store = await buildStore()
  const customer = await buildCustomer(store)
  const order = await buildShippedOrder(store, { customerId: customer.id, ...given })
  const { token } = await buildStaff(store, { role })
  const staff = (line: string, more: Asked = {}) => request(line, { token, ...more })
  const buyer = (line: string, more: Asked = {}) => request(line, { store, token: customer.token, ...more })
  const asked = (quantity = 1, more: object = {}) => ({
    order_id: order.id,
    items: [{ order_item_id: order.lines[0]?.id, quantity, reason: 'defective' }],
    ...more,
  })
  return { store, customer, order, staff, buyer, asked }
}

/** A received return of one unit. */
async function received(given: GivenOrder = {}, back: Parameters<typeof buildReceivedReturn>[2] = {}) {
  const here = await scene(given)
  const built = await buildReceivedReturn(here.store, here.order, back)
  const step = (name: string, more: Asked = {}) =>
    here.staff(`POST /admin/returns/${built.id}/${name}`, { key: newId(), ...more })
  const status = async () => (await here.staff(`GET /admin/returns/${built.id}`)).data.status
  return { ...here, built, step, status }
}

const eventsOf = (store: { id: string }, returnId: string): Promise<string[]> =>
  inStore(store.id, (tx) =>
    tx
      .knex('events')
      .whereRaw(`type like 'return.%' and data ->> 'id' = ?`, [returnId])
      .orderBy('position')
      .pluck('type'),
  )

test('a customer requests a return of their own order and reads its progress', async () => {
  const { store, customer, order, buyer, asked } = await scene()

  const made = await buyer('POST /returns', {
    body: asked(2, { action: 'replacement', comment: 'The handle came off' }),
  })
  const read = await buyer(`GET /returns/${made.data.id}`)
  const list = await buyer('GET /returns?status=requested')

  const { data } = made
  assert.equal(made.status, 201)
  assert.match(data.number, /^R[0-9A-Z]{5}-[0-9A-Z]{5}$/)
  assert.partialDeepStrictEqual(data, {
    status: 'requested',
    action: 'replacement',
    comment: 'The handle came off',
    order_id: order.id,
    customer_id: customer.id,
    refund: null,
  })
  assert.deepEqual(data.items.map((item: Record<string, unknown>) => ({ name: item.name, quantity: item.quantity, reason: item.reason, condition: item.condition })), [{ name: 'Line 1', quantity: 2, reason: 'defective', condition: null }])
  assert.deepEqual(
    { readData: read.data, listData: list.data, total: list.meta.total },
    { readData: data, listData: [data], total: 1 },
  )
  assert.deepEqual(await eventsOf(store, data.id), ['return.requested'])
})

test('a customer can cancel a return before its goods arrive, and request another', async () => {
  const { store, buyer, asked, staff } = await scene()
  const { data: first } = await buyer('POST /returns', { body: asked(2) })
  assert.equal((await buyer('POST /returns', { body: asked() })).error_code, 'return.quantity_exceeded')

  const canceled = await buyer(`POST /returns/${first.id}/cancel`)
  const again = await buyer(`POST /returns/${first.id}/cancel`)
  const { status } = await buyer('POST /returns', { body: asked(2) })

  assert.deepEqual(
    { dataStatus: canceled.data.status, error_code: again.error_code, status },
    { dataStatus: 'canceled', error_code: 'return.invalid_transition', status: 201 },
  )
  assert.deepEqual(await eventsOf(store, first.id), ['return.requested', 'return.canceled'])
  assert.equal((await staff(`POST /admin/returns/${first.id}/approve`, { body: {} })).status, 409)
})

test('returns and orders of another customer or a guest return 404', async () => {
  const { store, order, buyer, asked } = await scene()
  const guests = await buildShippedOrder(store)
  const theirs = await buildReturn(store, order)
  const { token } = await buildCustomer(store)

  for (const [line, body] of [
    ['POST /returns', asked()],
    [`GET /returns/${theirs.id}`],
    [`POST /returns/${theirs.id}/cancel`],
  ] as const) {
    const { status, error_code } = await request(line, { store, token, ...(body ? { body } : {}) })
    assert.deepEqual({ status, error_code }, { status: 404, error_code: 'resource.not_found' }, line)
  }
  assert.deepEqual((await request('GET /returns', { store, token })).data, [])
  assert.equal((await buyer('POST /returns', { body: { ...asked(), order_id: guests.id } })).status, 404)
  assert.equal((await request('GET /returns', { store })).error_code, 'auth.not_authenticated')
})

test('a return of an order that has not shipped returns 409 return.order_not_shipped', async () => {
  const { store, customer, buyer, staff, asked } = await scene()
  const order = await buildCapturedOrder(store, { customerId: customer.id })
  const body = asked(1, {
    order_id: order.id,
    items: [{ order_item_id: order.lines[0]?.id, quantity: 1, reason: 'unwanted' }],
  })
  const ask = async () => [
    (await buyer('POST /returns', { body })).error_code,
    (await staff('POST /admin/returns', { body })).error_code,
  ]

  assert.deepEqual(await ask(), ['return.order_not_shipped', 'return.order_not_shipped'])
  await inStore(store.id, (tx) => changeOrderStatus(tx, order.id, 'complete', 'system'))
  assert.deepEqual(await ask(), [null, null])
})

test('only staff request a return of an order that was refunded after it shipped', async () => {
  const { store, order, buyer, staff, asked } = await scene()
  await inStore(store.id, (tx) => refundRemainder(tx, order.id, 'system'))

  const refusal = await buyer('POST /returns', { body: asked() })
  const made = await staff('POST /admin/returns', { body: asked(1, { action: 'none' }) })

  assert.deepEqual(
    { error_code: refusal.error_code, status: made.status },
    { error_code: 'return.order_not_shipped', status: 201 },
  )
})

const LINE = '01992f40-1c5e-7d0a-8c1f-3b7a9e2d4c10'
const INVALID: [why: string, change: object, loc: (string | number)[]][] = [
  ['no order', { order_id: undefined }, ['body', 'order_id']],
  ['no items', { items: [] }, ['body', 'items']],
  [
    'a line of nobody',
    { items: [{ order_item_id: LINE, quantity: 1, reason: 'late' }] },
    ['body', 'items', 0, 'order_item_id'],
  ],
  [
    'no units',
    { items: [{ order_item_id: LINE, quantity: 0, reason: 'late' }] },
    ['body', 'items', 0, 'quantity'],
  ],
  [
    'half a unit',
    { items: [{ order_item_id: LINE, quantity: 0.5, reason: 'late' }] },
    ['body', 'items', 0, 'quantity'],
  ],
  [
    'more units than there are numbers',
    { items: [{ order_item_id: LINE, quantity: 2 ** 40, reason: 'late' }] },
    ['body', 'items', 0, 'quantity'],
  ],
  ['no reason', { items: [{ order_item_id: LINE, quantity: 1 }] }, ['body', 'items', 0, 'reason']],
  [
    'a reason of its own',
    { items: [{ order_item_id: LINE, quantity: 1, reason: 'bored' }] },
    ['body', 'items', 0, 'reason'],
  ],
  ['an action of its own', { action: 'revenge' }, ['body', 'action']],
  ['a blank comment', { comment: ' ' }, ['body', 'comment']],
  ['a status', { status: 'approved' }, ['body', 'status']],
]

test("an invalid request returns 422 with the field's location", async () => {
  const { buyer, staff, order, asked } = await scene()
  const id = order.lines[0]?.id ?? ''
  const twice = [id, id.toUpperCase()].map((order_item_id) => ({
    order_item_id,
    quantity: 1,
    reason: 'late',
  }))

  for (const [why, change, loc] of [
    ...INVALID,
    ['a line twice', { items: twice }, ['body', 'items', 1, 'order_item_id']],
  ] as typeof INVALID)
    for (const answer of [
      await buyer('POST /returns', { body: { ...asked(), ...change } }),
      await staff('POST /admin/returns', { body: { ...asked(), ...change } }),
    ])
      assert.deepEqual(
        { status: answer.status, error_code: answer.error_code, loc: answer.detail?.[0].loc },
        { status: 422, error_code: 'validation.failed', loc },
        why,
      )

  assert.equal((await buyer('POST /returns', { body: asked(1, { action: 'none' }) })).status, 422)
  assert.deepEqual((await staff('GET /admin/returns')).data, [])
})

test('staff list returns by each filter', async () => {
  const { store, customer, order, staff } = await scene()
  const others = await buildShippedOrder(store)
  freezeClock(new Date('2026-03-01T10:00:00Z'))
  const early = await buildReturn(store, order)
  freezeClock(new Date('2026-03-02T10:00:00Z'))
  const late = await buildReceivedReturn(store, others)
  freezeClock(new Date())
  const { email, number } = await readOrder(store, others.id)

  for (const [query, expected] of [
    ['', [late, early]],
    ['?sort=created_at', [early, late]],
    ['?sort=updated_at', [early, late]],
    ['?status=requested', [early]],
    ['?status=completed', []],
    [`?order_id=${others.id}`, [late]],
    [`?customer_id=${customer.id}`, [early]],
    [`?q=${early.number.toLowerCase()}`, [early]],
    [`?q=${number}`, [late]],
    [`?q=${encodeURIComponent(email)}`, [late]],
    ['?q=byron', [late, early]],
    ['?q=%25', []],
    ['?created_to=2026-03-02T10:00:00Z', [early]],
    ['?created_from=2026-03-02T10:00:00Z', [late]],
    ['?page=2&page_size=1', [early]],
    ['?page=99', []],
  ] as const) {
    const { data } = await staff(`GET /admin/returns${query}`)
    assert.deepEqual(
      data.map(({ id }: { id: string }) => id),
      expected.map(({ id }) => id),
      query,
    )
  }
  for (const query of ['status=lost', 'sort=number', 'customer_id=1', 'page_size=101', 'who=me'])
    assert.equal((await staff(`GET /admin/returns?${query}`)).error_code, 'validation.failed', query)
})

test('a list runs as many queries for many returns as for one', async () => {
  const { store, staff } = await scene()
  await buildReturn(store, await buildShippedOrder(store))
  const few = await countQueries(() => staff('GET /admin/returns'))
  for (let i = 0; i < 4; i++) await buildReturn(store, await buildShippedOrder(store))

  assert.equal(await countQueries(() => staff('GET /admin/returns')), few)
})

test('staff replace the items of a return before its goods arrive', async () => {
  const { staff, asked, order } = await scene({
    lines: [
      { priceMinor: 1_000n, quantity: 2 },
      { priceMinor: 500n, quantity: 3 },
    ],
  })
  const { data, headers } = await staff('POST /admin/returns', { body: asked(2) })
  const [kept] = data.items
  const change = (body: object, tag?: string | null) =>
    staff(`PATCH /admin/returns/${data.id}`, { body, ...(tag ? { headers: { 'If-Match': tag } } : {}) })
  const items = order.lines.map(({ id: order_item_id, quantity }) => ({
    order_item_id,
    quantity,
    reason: 'late',
  }))

  const changed = await change({ items, comment: null, action: 'none' }, headers.get('etag'))
  const stale = await change({ comment: 'Late' }, headers.get('etag'))
  const tooMany = await change({ items: [{ ...items[0], quantity: 3 }] })

  assert.deepEqual(
    changed.data.items.map(({ order_item_id, quantity, reason }: Record<string, unknown>) => ({
      order_item_id,
      quantity,
      reason,
    })),
    items,
  )
  assert.equal(changed.data.items[0].id, kept.id, 'an item that stays keeps its id')
  assert.partialDeepStrictEqual(stale, { status: 412, error_code: 'resource.changed' })
  assert.partialDeepStrictEqual(tooMany, { status: 422, error_code: 'return.quantity_exceeded' })
  assert.equal((await change({})).status, 422)
  assert.equal(
    (await staff(`GET /admin/returns/${data.id}`)).headers.get('etag'),
    changed.headers.get('etag'),
  )
})

test('after receipt the items cannot change; the action can until it is fulfilled', async () => {
  const { staff, built, order, step } = await received({}, { disposition: 'not_restocked' })
  const change = (body: object) => staff(`PATCH /admin/returns/${built.id}`, { body })
  const items = [{ order_item_id: order.lines[0]?.id, quantity: 2, reason: 'late' }]

  assert.equal((await change({ items })).error_code, 'return.not_editable')
  assert.equal((await change({ action: 'credit' })).data.action, 'credit')
  assert.equal((await change({ action: 'refund' })).data.action, 'refund')
  assert.equal((await step('refund', { body: {} })).data.status, 'completed')
  assert.equal((await change({ action: 'none' })).error_code, 'return.not_editable')
  assert.equal((await change({ comment: 'All done' })).data.comment, 'All done')
})

test('only a requested, rejected or canceled return can be deleted', async () => {
  const { store, order, staff } = await scene({ lines: [{ priceMinor: 1_000n, quantity: 9 }] })
  const steps: Record<string, string[]> = {
    requested: [],
    rejected: ['reject'],
    canceled: ['approve', 'cancel'],
    approved: ['approve'],
  }
  for (const [status, names] of Object.entries(steps)) {
    const { id } = await buildReturn(store, order)
    for (const name of names)
      await staff(`POST /admin/returns/${id}/${name}`, name === 'cancel' ? {} : { body: {} })

    const deleted = await staff(`DELETE /admin/returns/${id}`)

    const expected =
      status === 'approved'
        ? { status: 409, error_code: 'return.in_use', data: null }
        : { status: 200, error_code: null, data: null }
    assert.partialDeepStrictEqual(deleted, expected, status)
    const { data } = await staff('GET /admin/returns')
    assert.equal(
      data.some((rma: { id: string }) => rma.id === id),
      status === 'approved',
    )
  }
  const { id } = await buildReceivedReturn(store, order)
  assert.equal((await staff(`DELETE /admin/returns/${id}`)).error_code, 'return.in_use')
})

test('a step that the status does not allow returns 409', async () => {
  const { store, order, staff } = await scene({ lines: [{ priceMinor: 1_000n, quantity: 9 }] })
  const requested = await buildReturn(store, order)
  const here = await buildReceivedReturn(store, order)
  const arrivals = { items: [{ id: requested.itemIds[0], disposition: 'missing' }] }

  for (const [name, id, body, code] of [
    ['receive', requested.id, arrivals, 'return.invalid_transition'],
    ['refund', requested.id, {}, 'return.not_received'],
    ['restock', requested.id, undefined, 'return.not_received'],
    ['replace', requested.id, undefined, 'return.not_received'],
    ['approve', here.id, {}, 'return.invalid_transition'],
    ['reject', here.id, {}, 'return.invalid_transition'],
    ['cancel', here.id, undefined, 'return.invalid_transition'],
    ['receive', here.id, arrivals, 'return.invalid_transition'],
  ] as const) {
    const more = { key: newId(), ...(body ? { body } : {}) }
    const { status, error_code } = await staff(`POST /admin/returns/${id}/${name}`, more)
    assert.deepEqual({ status, error_code }, { status: 409, error_code: code }, name)
  }
})

test('a receipt lists every unit, and splits items by disposition', async () => {
  const { store, order, staff } = await scene({
    lines: [
      { priceMinor: 1_000n, quantity: 4 },
      { priceMinor: 500n, quantity: 1 },
    ],
  })
  const { id, itemIds } = await buildReturn(store, order, { units: [4, 1] })
  await staff(`POST /admin/returns/${id}/approve`, { body: {} })
  const [first, second] = itemIds
  const receive = (items: object[]) => staff(`POST /admin/returns/${id}/receive`, { body: { items } })
  const whole = { id: second, disposition: 'missing' }

  for (const [why, items] of [
    ['an item is left out', [{ id: first, disposition: 'restocked' }]],
    ['too few units', [{ id: first, quantity: 3, disposition: 'restocked' }, whole]],
    ['too many units', [{ id: first, quantity: 5, disposition: 'restocked' }, whole]],
    ['an item of nobody', [{ id: newId(), disposition: 'restocked' }, whole]],
    ['no such disposition', [{ id: first, disposition: 'eaten' }, whole]],
  ] as const) {
    const { status, error_code } = await receive(items as unknown as object[])
    assert.deepEqual({ status, error_code }, { status: 422, error_code: 'validation.failed' }, why)
  }
  const { status, data } = await receive([
    { id: first, quantity: 2, disposition: 'restocked', condition: 'unopened' },
    { id: first?.toUpperCase(), quantity: 1, disposition: 'not_restocked', condition: 'damaged' },
    { id: first, quantity: 1, disposition: 'missing' },
    whole,
  ])

  assert.equal(status, 200)
  assert.equal(data.status, 'received')
  assert.deepEqual(data.items.map((item: Record<string, unknown>) => ({ order_item_id: item.order_item_id, quantity: item.quantity, disposition: item.disposition, condition: item.condition })), [{ order_item_id: order.lines[0]?.id, quantity: 2, disposition: 'restocked', condition: 'unopened' }, { order_item_id: order.lines[0]?.id, quantity: 1, disposition: 'not_restocked', condition: 'damaged' }, { order_item_id: order.lines[0]?.id, quantity: 1, disposition: 'missing', condition: null }, { order_item_id: order.lines[1]?.id, quantity: 1, disposition: 'missing', condition: null }])
  assert.equal(data.items[0].id, first)
})

test('arrived units are refunded when the gateway confirms; missing units are not', async () => {
  const { store, order, staff } = await scene({ gateway, lines: [{ priceMinor: 1_000n, quantity: 3 }] })
  const { id, itemIds } = await buildReturn(store, order, { units: [3] })
  await staff(`POST /admin/returns/${id}/approve`, { body: {} })
  const items = [
    { id: itemIds[0], quantity: 1, disposition: 'missing' },
    { id: itemIds[0], quantity: 2, disposition: 'not_restocked' },
  ]
  await staff(`POST /admin/returns/${id}/receive`, { body: { items } })

  const { status, data } = await withWorker(
    staff(`POST /admin/returns/${id}/refund`, { key: newId(), body: { shipping_amount: 2.5 } }),
  )
  await drainJobs()

  assert.deepEqual(
    { status, amount: data.refund.amount, refundStatus: data.refund.status },
    { status: 201, amount: 22.5, refundStatus: 'succeeded' },
  )
  const [made] = gateway.ledger().refunds.filter(({ payment_intent }) => payment_intent === order.reference)
  assert.equal(made?.amount, 2_250)
  assert.equal((await staff(`GET /admin/returns/${id}`)).data.status, 'completed')
  assert.equal((await staff(`GET /admin/orders/${order.id}`)).data.items[0].refunded_quantity, 2)
})

test('Prefer: respond-async returns 202; a second refund returns 409', async () => {
  const { step, status } = await received({ gateway })

  const first = await step('refund', { body: {}, headers: AT_ONCE })
  const second = await step('refund', { body: {}, headers: AT_ONCE })
  await drainJobs()
  const third = await step('refund', { body: {}, headers: AT_ONCE })

  assert.deepEqual(
    {
      firstStatus: first.status,
      refundStatus: first.data.refund.status,
      second_error_code: second.error_code,
      third_error_code: third.error_code,
    },
    {
      firstStatus: 202,
      refundStatus: 'pending',
      second_error_code: 'refund.in_progress',
      third_error_code: 'return.already_refunded',
    },
  )
  assert.equal(await status(), 'received', 'the units are not on the shelf yet')
})

test('a repeated request returns the same refund; one without a key returns idempotency.key_required', async () => {
  const { step } = await received()
  const key = newId()

  const first = await step('refund', { key, body: {} })
  const again = await step('refund', { key, body: {} })

  assert.deepEqual(
    { firstStatus: first.status, againStatus: again.status, data: again.data },
    { firstStatus: 201, againStatus: 201, data: first.data },
  )
  assert.equal((await step('refund', { key: '', body: {} })).error_code, 'idempotency.key_required')
})

test('a refund that the gateway refuses can be requested again', async () => {
  const { step, status } = await received({ gateway }, { disposition: 'not_restocked' })
  gateway.faults.set({ on: 'POST /v1/refunds', mode: 'decline', times: 1 })

  const failed = await withWorker(step('refund', { body: {} }))
  const again = await withWorker(step('refund', { body: {} }))
  await drainJobs()

  assert.partialDeepStrictEqual(failed, { status: 201, data: { refund: { status: 'failed' } } })
  assert.partialDeepStrictEqual(again, { status: 201, data: { refund: { status: 'succeeded' } } })
  assert.equal(await status(), 'completed')
})

test('units that were refunded without the return are not refunded twice', async () => {
  const { store, order, staff, step, status } = await received({}, { units: [2] })
  const refund = { items: [{ order_item_id: order.lines[0]?.id, quantity: 1 }] }
  await staff(`POST /admin/orders/${order.id}/refunds`, { key: newId(), body: refund })

  const { data } = await step('refund', { body: {} })
  const again = await step('refund', { body: {} })
  await step('restock')

  assert.partialDeepStrictEqual(data.refund, { amount: 10, status: 'succeeded' })
  assert.equal(again.error_code, 'return.already_refunded')
  assert.equal(await status(), 'completed')
  assert.equal((await readOrder(store, order.id)).amountRefundedMinor, 2_000n)
})

test('a return whose units were refunded without it is completed', async () => {
  const { order, staff, step, status } = await received({}, { disposition: 'not_restocked' })
  const refund = { items: [{ order_item_id: order.lines[0]?.id, quantity: 2 }] }
  await staff(`POST /admin/orders/${order.id}/refunds`, { key: newId(), body: refund })

  const { error_code } = await step('refund', { body: {} })
  await drainJobs()

  assert.deepEqual(
    { error_code, status: await status() },
    { error_code: 'return.already_refunded', status: 'completed' },
  )
})

test('a return with another action returns 409 to refund and replace', async () => {
  const replacement = await received({}, { action: 'replacement' })
  const refund = await received()

  assert.equal((await replacement.step('refund', { body: {} })).error_code, 'return.other_action')
  assert.equal((await refund.step('replace')).error_code, 'return.other_action')
})

test('a fee is deducted from the refund, up to its amount', async () => {
  const { store, order, step } = await received({ gateway }, { units: [2] })

  const tooMuch = await step('refund', { body: { fee_amount: 20.01, shipping_amount: 5 } })
  const { data } = await withWorker(step('refund', { body: { fee_amount: 3.5, shipping_amount: 5 } }))

  assert.deepEqual(
    { status: tooMuch.status, loc: tooMuch.detail[0].loc },
    { status: 422, loc: ['body', 'fee_amount'] },
  )
  assert.equal(data.refund.amount, 21.5)
  assert.equal((await readOrder(store, order.id)).refundableMinor, 350n)
})

test('the action credit mails a voucher over the paid price, and refunds no money', async () => {
  const here = await received({ gateway }, { action: 'credit', disposition: 'not_restocked' })
  const { store, order, staff, step } = here

  const { status, data } = await step('refund', { body: {} })
  const again = await step('refund', { body: {} })
  const drained = await drainJobs()

  assert.deepEqual(
    { status, dataStatus: data.status, amount: data.refund.amount },
    { status: 201, dataStatus: 'completed', amount: 10 },
  )
  const { data: voucher } = await staff(`GET /admin/vouchers/${data.voucher_id}`)
  assert.partialDeepStrictEqual(voucher, {
    amount: 10,
    amount_remaining: 10,
    order_id: order.id,
    to_email: data.email,
  })
  assert.ok(drained.some(({ queue, error }) => queue === 'send-mail' && !error))
  assert.equal(again.error_code, 'return.already_refunded')
  const purged = await staff(`DELETE /admin/vouchers/${voucher.id}?purge=true`)
  assert.partialDeepStrictEqual(purged, { status: 409, error_code: 'voucher.in_use' })
  assert.equal((await staff(`GET /admin/vouchers/${voucher.id}`)).data.amount_remaining, 10)
  assert.deepEqual(
    gateway.ledger().refunds.filter(({ payment_intent }) => payment_intent === order.reference),
    [],
  )
  assert.equal((await readOrder(store, order.id)).refundableMinor, 1_500n)

  await withWorker(staff(`PATCH /admin/orders/${order.id}`, { body: { status: 'refunded' } }))
  const [rest] = gateway.ledger().refunds.filter(({ payment_intent }) => payment_intent === order.reference)
  assert.equal(rest?.amount, 1_500)
})

test('the refunds of all units, returned one by one, sum up to the paid price', async () => {
  const { store, order, staff } = await scene({
    lines: [
      { priceMinor: 333n, quantity: 3, taxMinor: 170n },
      { priceMinor: 1_999n, quantity: 2, taxMinor: 259n },
    ],
    discountMinor: 101n,
    shippingMinor: 490n,
    shippingTaxMinor: 93n,
  })
  const paidBack = async (units: number[], action: 'refund' | 'credit') => {
    const { id } = await buildReceivedReturn(store, order, { units, action })
    const { data } = await staff(`POST /admin/returns/${id}/refund`, { key: newId(), body: {} })
    return Math.round(data.refund.amount * 100)
  }

  const parts = [
    await paidBack([1], 'refund'),
    await paidBack([0, 1], 'credit'),
    await paidBack([1], 'refund'),
    await paidBack([0, 1], 'refund'),
    await paidBack([1], 'credit'),
  ]

  // 9.99 and 39.98, less 1.01 off by price, with their own taxes: 9.99 − 0.20 + 1.70, and 39.98 − 0.81 + 2.59.
  assert.equal((parts[0] ?? 0) + (parts[2] ?? 0) + (parts[4] ?? 0), 1_149)
  assert.equal((parts[1] ?? 0) + (parts[3] ?? 0), 4_176)
  assert.equal((await readOrder(store, order.id)).refundableMinor, 583n, 'shipping with its tax')
})

test("a voucher's part is refunded to the voucher; credit is another voucher; both sum up to the paid amount at most", async () => {
  const shop = await buildShop()
  const { store } = shop
  const { token } = await buildStaff(store, { role: 'owner' })
  const staff = (line: string, more: Asked = {}) => request(line, { token, key: newId(), ...more })
  const { id: voucherId, code } = await buildVoucher(store, { amountMinor: 2_500n })
  const cart = await fillCart(store, shop.variantId, 2)
  const body = { voucher_code: code, payment_method: 'voucher' }
  const { data: bought } = await checkOut(shop, { cart, body })
  await staff(`PATCH /admin/orders/${bought.order.id}`, { body: { status: 'shipped' } })
  const order = { id: bought.order.id, lines: bought.order.items }
  const returned = async (action: 'refund' | 'credit') => {
    const { id } = await buildReceivedReturn(store, order, { action, disposition: 'not_restocked' })
    return (await staff(`POST /admin/returns/${id}/refund`, { body: {} })).data
  }

  const credited = await returned('credit')
  const refunded = await returned('refund')
  await staff(`PATCH /admin/orders/${order.id}`, { body: { status: 'refunded' } })

  for (const done of [credited, refunded])
    assert.partialDeepStrictEqual(done, { status: 'completed', refund: { amount: 10 } })
  assert.equal((await readVoucher(store, credited.voucher_id)).remainingMinor, 1_000n)
  assert.equal((await readVoucher(store, voucherId)).remainingMinor, 1_500n)
  assert.equal((await readOrder(store, order.id)).refundableMinor, 0n)
})

test('a replacement places one free order of the same goods', async () => {
  const here = await received({}, { action: 'replacement', units: [2], disposition: 'not_restocked' })
  const { store, order, staff, step } = here
  const variantId = order.lines[0]?.variantId ?? ''

  const { status, data } = await step('replace')
  const again = await step('replace')

  assert.deepEqual(
    { status, dataStatus: data.status, error_code: again.error_code },
    { status: 200, dataStatus: 'completed', error_code: 'return.already_replaced' },
  )
  const { data: anew } = await staff(`GET /admin/orders/${data.replacement_order_id}`)
  assert.deepEqual(
    {
      status: anew.status,
      payment_status: anew.payment_status,
      total: anew.total,
      customer_id: anew.customer_id,
      quantity: anew.items[0].quantity,
      sku: anew.items[0].sku,
    },
    {
      status: 'processing',
      payment_status: 'paid',
      total: 0,
      customer_id: data.customer_id,
      quantity: 2,
      sku: data.items[0].sku,
    },
  )
  assert.deepEqual(await stockOf(store, variantId), { onHand: 98, allocated: 2, held: 0 })
  await staff(`PATCH /admin/orders/${anew.id}`, { body: { status: 'shipped' } })
  assert.equal((await stockOf(store, variantId)).onHand, 96)
})

test('replaced units are refunded only with override and a reason', async () => {
  const { store, order, staff, step } = await received({}, { action: 'replacement' })
  const { data: replaced } = await step('replace')
  const items = [{ order_item_id: order.lines[0]?.id, quantity: 2 }]
  const refund = (body: object) => staff(`POST /admin/orders/${order.id}/refunds`, { key: newId(), body })

  const all = await staff(`PATCH /admin/orders/${order.id}`, { body: { status: 'refunded' } })
  const units = await refund({ items })
  const amount = await refund({ amount: 15.01 })
  const allowed = await refund({ amount: 15 })
  const more = await refund({ amount: 10, override: true, reason: 'Lost by the carrier' })

  assert.ok(replaced.replacement_order_id)
  assert.deepEqual([all, units, amount].map(({ status, error_code }) => ({ status, error_code })), [{ status: 422, error_code: 'refund.units_replaced' }, { status: 422, error_code: 'refund.quantity_exceeded' }, { status: 422, error_code: 'refund.units_replaced' }])
  assert.match(amount.error ?? '', /at most 15 EUR/)
  assert.deepEqual({ allowed: allowed.status, more: more.status }, { allowed: 201, more: 201 })
  assert.equal((await readOrder(store, order.id)).status, 'refunded')
})

test('refunded units are not replaced', async () => {
  const { order, staff, step } = await received({ gateway }, { action: 'replacement' })
  await withWorker(staff(`PATCH /admin/orders/${order.id}`, { body: { status: 'refunded' } }))

  const { status, error_code } = await step('replace')

  assert.deepEqual({ status, error_code }, { status: 409, error_code: 'return.already_refunded' })
})

test('units are not replaced while a refund is in progress, nor after a refund of the whole amount', async () => {
  const { order, staff, step } = await received({ gateway }, { action: 'replacement' })
  const amount = Number(order.totalMinor) / 100
  const asked = { key: newId(), headers: AT_ONCE, body: { amount } }
  await staff(`POST /admin/orders/${order.id}/refunds`, asked)

  const during = await step('replace')
  await drainJobs()
  const after = await step('replace')

  assert.equal(during.error_code, 'refund.in_progress')
  assert.equal(after.error_code, 'return.already_refunded')
})

test('of two units with one refunded, two returns replace one', async () => {
  const { store, order, staff, step } = await received({}, { action: 'replacement' })
  const second = await buildReceivedReturn(store, order, { action: 'replacement' })
  const items = [{ order_item_id: order.lines[0]?.id, quantity: 1 }]
  await staff(`POST /admin/orders/${order.id}/refunds`, { key: newId(), body: { items } })

  const first = await step('replace')
  const more = await staff(`POST /admin/returns/${second.id}/replace`, { key: newId() })

  assert.deepEqual(
    { status: first.status, error_code: more.error_code },
    { status: 200, error_code: 'return.already_refunded' },
  )
})

test('a canceled replacement can be requested again', async () => {
  const { staff, step } = await received({}, { action: 'replacement', disposition: 'not_restocked' })
  const { data: first } = await step('replace')
  await staff(`PATCH /admin/orders/${first.replacement_order_id}`, { body: { status: 'canceled' } })

  const { status, data: second } = await step('replace')

  assert.equal(status, 200)
  assert.notEqual(second.replacement_order_id, first.replacement_order_id)
  assert.equal((await step('replace')).error_code, 'return.already_replaced')
})

test('a refund whose money came back can be requested again', async () => {
  const { store, order, staff, step, status, built } = await received(
    { gateway },
    { disposition: 'not_restocked' },
  )
  const { data: first } = await withWorker(step('refund', { body: {} }))
  await drainJobs()
  const bounced = { status: 'failed', reference: null, failureReason: 'lost_or_stolen_card' } as const
  await inStore(store.id, (tx) => settleRefund(tx, first.refund.id, bounced))
  await drainJobs()
  const { history } = (await staff(`GET /admin/orders/${order.id}`)).data

  const { data: second } = await withWorker(step('refund', { body: {} }))

  assert.equal(
    history.at(-1).note,
    `Return ${built.number} is completed, and its goods are not refunded any more`,
  )
  assert.equal(second.refund.status, 'succeeded')
  assert.equal(await status(), 'completed')
  assert.notEqual(second.refund.id, first.refund.id)
})

test('units without stock or without a variant are not replaced', async () => {
  const here = await received({}, { action: 'replacement', units: [2], disposition: 'not_restocked' })
  const { store, order, staff, step, built } = here
  const [line] = order.lines
  const setLine = (set: object) =>
    inStore(store.id, (tx) =>
      tx
        .knex('order_items')
        .where('id', line?.id ?? '')
        .update(set),
    )

  ignoreBooksOf(store)
  await inStore(store.id, (tx) =>
    tx.knex('product_variants').where('id', line?.variantId).update({ stock_on_hand: 1 }),
  )
  assert.equal((await step('replace')).error_code, 'checkout.insufficient_stock')
  await setLine({ variant_id: null })
  assert.equal((await step('replace')).error_code, 'return.not_replaceable')
  const { data } = await staff(`PATCH /admin/returns/${built.id}`, { body: { action: 'refund' } })
  assert.equal(data.status, 'received')
})

test('a return whose goods never arrived is completed without a refund', async () => {
  const { status, store, built } = await received({}, { disposition: 'missing' })

  assert.equal(await status(), 'completed')
  assert.deepEqual(await eventsOf(store, built.id), [
    'return.requested',
    'return.approved',
    'return.received',
    'return.completed',
  ])
})

test('sellable units are restocked, less those that a refund restocked', async () => {
  const { store, order, staff, step } = await received({}, { units: [2] })
  const variantId = order.lines[0]?.variantId ?? ''
  const refund = { items: [{ order_item_id: order.lines[0]?.id, quantity: 1 }], restock: true }
  await staff(`POST /admin/orders/${order.id}/refunds`, { key: newId(), body: refund })
  assert.equal((await stockOf(store, variantId)).onHand, 99)

  const { data } = await step('restock')
  const again = await step('restock')

  assert.ok(data.restocked_at)
  assert.equal(again.error_code, 'return.nothing_to_restock')
  assert.equal((await stockOf(store, variantId)).onHand, 100)
})

test('a return without sellable units returns 409 return.nothing_to_restock', async () => {
  const { store, order, step } = await received({}, { disposition: 'not_restocked' })

  assert.equal((await step('restock')).error_code, 'return.nothing_to_restock')
  assert.equal((await stockOf(store, order.lines[0]?.variantId ?? '')).onHand, 98)
})

for (const [role, code] of [
  ['accounting', null],
  ['sales', 'order.refund_forbidden'],
  ['support', 'order.refund_forbidden'],
  ['analyst', 'auth.forbidden'],
] as const)
  test(`the role ${role} ${code ? 'may not' : 'may'} pay a return back`, async () => {
    const { store, built } = await received()
    const { token } = await buildStaff(store, { role })

    const answer = await request(`POST /admin/returns/${built.id}/refund`, { token, key: newId(), body: {} })

    assert.equal(answer.error_code, code)
  })

test("another store's orders and returns return 404", async () => {
  const { order, built } = await received()
  const { staff, asked } = await scene()
  const item = { order_item_id: order.lines[0]?.id, quantity: 1, reason: 'late' }
  const arrivals = { items: [{ id: built.itemIds[0], disposition: 'missing' }] }

  for (const [line, body] of [
    ['POST /admin/returns', { ...asked(), order_id: order.id }],
    [`GET /admin/returns/${built.id}`],
    [`PATCH /admin/returns/${built.id}`, { items: [item] }],
    [`DELETE /admin/returns/${built.id}`],
    ...['approve', 'reject', 'refund'].map(
      (name) => [`POST /admin/returns/${built.id}/${name}`, {}] as const,
    ),
    [`POST /admin/returns/${built.id}/receive`, arrivals],
    [`POST /admin/returns/${built.id}/restock`],
    [`POST /admin/returns/${built.id}/replace`],
    [`POST /admin/returns/${built.id}/cancel`],
  ] as const) {
    const { status, error_code } = await staff(line, { key: newId(), ...(body ? { body } : {}) })
    assert.deepEqual({ status, error_code }, { status: 404, error_code: 'resource.not_found' }, line)
  }
  const crossed = await staff('POST /admin/returns', { body: asked(1, { items: [item] }) })
  assert.deepEqual(crossed.detail[0].loc, ['body', 'items', 0, 'order_item_id'])
})

testBooks()
