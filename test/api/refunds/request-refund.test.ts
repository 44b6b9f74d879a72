import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#shared/platform/db/id.ts'
import { readRefunds } from '#test/support/books/read-refunds.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildCapturedOrder } from '#test/support/builders/captured-order.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { type RequestOptions, request } from '#test/support/processes/app.ts'

/** An order of two units of 10.00 and shipping of 5.00, paid by bank transfer: no gateway settles its refunds. */
async function paidOrder(role = 'accounting') {
  const store = await buildStore()
  const order = await buildCapturedOrder(store)
  const { token } = await buildStaff(store, { role })
  const path = `/admin/orders/${order.id}/refunds`
  const refund = (body: unknown, more: RequestOptions = {}) =>
    request(`POST ${path}`, { token, key: newId(), body, ...more })
  const list = () => request(`GET ${path}`, { token })
  const readOrder = async () => (await request(`GET /admin/orders/${order.id}`, { token })).data
  return { store, order, token, path, refund, list, readOrder }
}

test('a refund of a unit and a part of the shipping succeeds and is booked to the order', async () => {
  const { order, refund, list, readOrder } = await paidOrder()
  const items = [{ order_item_id: order.lines[0]?.id, quantity: 1 }]

  const { status, data } = await refund({ items, shipping_amount: 2.5, reason: 'Broken' })

  assert.equal(status, 201)
  assert.partialDeepStrictEqual(data, {
    amount: 12.5,
    currency: 'EUR',
    status: 'succeeded',
    reason: 'Broken',
    gateway_reference: '',
  })
  assert.deepEqual((await list()).data, [data])
  assert.partialDeepStrictEqual(await readOrder(), { amount_captured: 25, amount_refunded: 12.5 })
})

test('a repeated request returns the same refund', async () => {
  const { refund, list } = await paidOrder()
  const key = newId()

  const first = await refund({ amount: 5 }, { key })
  const again = await refund({ amount: 5 }, { key })

  assert.deepEqual(
    { first: first.status, again: again.status, data: again.data },
    { first: 201, again: 201, data: first.data },
  )
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal((await list()).meta.total, 1)
})

test('a refund without an idempotency key returns 400', async () => {
  const { refund } = await paidOrder()

  const { status, error_code } = await refund({ amount: 5 }, { key: '' })

  assert.deepEqual({ status, error_code }, { status: 400, error_code: 'idempotency.key_required' })
})

for (const [role, status, code] of [
  ['accounting', 201, null],
  ['owner', 201, null],
  ['sales', 403, 'order.refund_forbidden'],
  ['support', 403, 'order.refund_forbidden'],
  ['catalog', 403, 'auth.forbidden'],
] as const)
  test(`the role ${role} ${code ? 'cannot' : 'can'} refund`, async () => {
    const { refund } = await paidOrder(role)

    const answer = await refund({ amount: 5 })

    assert.partialDeepStrictEqual(answer, { status, error_code: code })
  })

const item = '01992f40-1c5e-7d0a-8c1f-3b7a9e2d4c10'
const INVALID: [why: string, body: unknown, loc: (string | number)[]][] = [
  ['an empty body', {}, ['body']],
  ['a sum and items', { amount: 1, items: [{ order_item_id: item, quantity: 1 }] }, ['body']],
  ['a sum and shipping', { amount: 1, shipping_amount: 1 }, ['body']],
  ['a sum with restock', { amount: 1, restock: true }, ['body', 'restock']],
  ['a fraction of a cent', { amount: 0.333 }, ['body', 'amount']],
  ['an amount of 0', { amount: 0 }, ['body', 'amount']],
  ['a negative amount', { amount: -1 }, ['body', 'amount']],
  ['no items', { items: [] }, ['body', 'items']],
  ['no units', { items: [{ order_item_id: item, quantity: 0 }] }, ['body', 'items', 0, 'quantity']],
  [
    'a line twice',
    { items: [item, item.toUpperCase()].map((order_item_id) => ({ order_item_id, quantity: 1 })) },
    ['body', 'items', 1, 'order_item_id'],
  ],
  [
    'a line of another order',
    { items: [{ order_item_id: item, quantity: 1 }] },
    ['body', 'items', 0, 'order_item_id'],
  ],
  ['an unknown field', { amount: 1, gateway: 'none' }, ['body', 'gateway']],
]

test("an invalid body returns 422 with the field's location", async () => {
  const { refund, store, order } = await paidOrder()

  for (const [why, body, loc] of INVALID) {
    const { status, error_code, detail } = await refund(body)
    assert.deepEqual(
      { status, error_code, loc: detail?.[0].loc },
      { status: 422, error_code: 'validation.failed', loc },
      why,
    )
  }

  assert.deepEqual(await readRefunds(store, order.id), [])
})

test('a refund above the paid amount returns 422 with the refundable amount and refunds nothing', async () => {
  const { refund, list } = await paidOrder()

  const { status, error_code, error } = await refund({ amount: 25.01 })

  assert.deepEqual({ status, error_code }, { status: 422, error_code: 'refund.exceeds_paid' })
  assert.match(error ?? '', /25 EUR/)
  assert.deepEqual((await list()).data, [])
})

for (const field of ['override', 'outside_gateway'])
  test(`${field} without a reason returns 422 at reason`, async () => {
    const { refund, store, order } = await paidOrder()

    const { status, error_code, detail } = await refund({ amount: 5, [field]: true })

    assert.partialDeepStrictEqual({ status, error_code }, { status: 422, error_code: 'validation.failed' })
    assert.deepEqual(detail?.[0].loc, ['body', 'reason'])
    assert.deepEqual(await readRefunds(store, order.id), [])
  })

test("refunding and listing another store's order returns 404", async () => {
  const theirs = await paidOrder()
  const { token } = await paidOrder()

  const made = await request(`POST ${theirs.path}`, { token, key: newId(), body: { amount: 1 } })
  const listed = await request(`GET ${theirs.path}`, { token })

  for (const { status, error_code } of [made, listed])
    assert.deepEqual({ status, error_code }, { status: 404, error_code: 'resource.not_found' })
  assert.deepEqual((await theirs.list()).data, [])
})

testBooks()
