import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { newId } from '#shared/platform/db/id.ts'
import { stockOf } from '#test/support/books/observe-orders.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildReceivedScene, buildReturnScene, returnEventsOf } from '#test/support/builders/return-scene.ts'
import { buildReceivedReturn, buildReturn } from '#test/support/builders/returns.ts'

/** An approved return of four units of one line and one of another. */
async function buildApproved() {
  const { store, order, staff } = await buildReturnScene({
    lines: [
      { priceMinor: 1_000n, quantity: 4 },
      { priceMinor: 500n, quantity: 1 },
    ],
  })
  const { id, itemIds } = await buildReturn(store, order, { units: [4, 1] })
  await staff(`POST /admin/returns/${id}/approve`, { body: {} })
  const [first = '', second = ''] = itemIds
  const receive = (items: object[]) => staff(`POST /admin/returns/${id}/receive`, { body: { items } })
  return { order, staff, first, second, receive, path: `/admin/returns/${id}` }
}

test('a receipt that does not list each unit once returns 422 and receives nothing', async () => {
  const { staff, first, second, receive, path } = await buildApproved()
  const whole = { id: second, disposition: 'missing' }
  const receipts = {
    'without an item': [{ id: first, disposition: 'restocked' }],
    'too few units': [{ id: first, quantity: 3, disposition: 'restocked' }, whole],
    'too many units': [{ id: first, quantity: 5, disposition: 'restocked' }, whole],
    'an unknown item': [{ id: newId(), disposition: 'restocked' }, whole],
    'an unknown disposition': [{ id: first, disposition: 'eaten' }, whole],
  }

  for (const [fault, items] of Object.entries(receipts))
    assert.partialDeepStrictEqual(
      await receive(items),
      { status: 422, error_code: 'validation.failed' },
      fault,
    )

  assert.equal((await staff(`GET ${path}`)).data.status, 'approved')
})

test('a receipt splits the units of an item by disposition', async () => {
  const { order, first, second, receive } = await buildApproved()
  const [first_line, second_line] = order.lines.map(({ id }) => id)

  const { status, data } = await receive([
    { id: first, quantity: 2, disposition: 'restocked', condition: 'unopened' },
    { id: first.toUpperCase(), quantity: 1, disposition: 'not_restocked', condition: 'damaged' },
    { id: first, quantity: 1, disposition: 'missing' },
    { id: second, disposition: 'missing' },
  ])

  assert.equal(status, 200)
  assert.equal(data.items.length, 4)
  assert.partialDeepStrictEqual(data, {
    status: 'received',
    items: [
      {
        id: first,
        order_item_id: first_line,
        quantity: 2,
        disposition: 'restocked',
        condition: 'unopened',
      },
      { order_item_id: first_line, quantity: 1, disposition: 'not_restocked', condition: 'damaged' },
      { order_item_id: first_line, quantity: 1, disposition: 'missing', condition: null },
      { order_item_id: second_line, quantity: 1, disposition: 'missing', condition: null },
    ],
  })
})

test('a return whose goods never arrived is completed without a refund', async () => {
  const { status, store, built } = await buildReceivedScene({}, { disposition: 'missing' })

  assert.equal(await status(), 'completed')
  assert.deepEqual(await returnEventsOf(store, built.id), [
    'return.requested',
    'return.approved',
    'return.received',
    'return.completed',
  ])
})

test('received units in good condition are restocked once', async () => {
  const { store, order, step } = await buildReceivedScene()
  const variantId = order.lines[0]?.variantId ?? ''
  const before = await stockOf(store, variantId)

  const { data } = await step('restock')
  const again = await step('restock')

  assert.ok(data.restocked_at)
  assert.partialDeepStrictEqual(again, { status: 409, error_code: 'return.nothing_to_restock' })
  assert.deepEqual(await stockOf(store, variantId), { ...before, onHand: before.onHand + 1 })
})

test('a return without sellable units returns 409 return.nothing_to_restock', async () => {
  const { store, order, step } = await buildReceivedScene({}, { disposition: 'not_restocked' })

  assert.equal((await step('restock')).error_code, 'return.nothing_to_restock')
  assert.equal((await stockOf(store, order.lines[0]?.variantId ?? '')).onHand, 98)
})

test('a step that the status does not allow returns 409', async () => {
  const { store, order, staff } = await buildReturnScene({ lines: [{ priceMinor: 1_000n, quantity: 9 }] })
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

test("another store's orders and returns return 404", async () => {
  const { order, built } = await buildReceivedScene()
  const { staff, asked } = await buildReturnScene()
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
