import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { stockOf } from '#test/support/books/observe-orders.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildOrder, buildPaidOrder } from '#test/support/builders/orders.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { freezeClock } from '#test/support/clock.ts'
import { countQueries } from '#test/support/measure/count-queries.ts'
import { request } from '#test/support/processes/app.ts'

async function scene() {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'sales' })
  const list = async (query = '') => {
    const { data } = await request(`GET /admin/orders${query}`, { token })
    return data.map(({ id }: { id: string }) => id)
  }
  return { store, token, list }
}

test('staff list orders by each filter', async () => {
  const { store, list } = await scene()
  const { id: customerId } = await buildCustomer(store)
  const pending = await buildOrder(store, { customerId, shippingPriceMinor: 0n })
  const paid = await buildPaidOrder(store, { email: 'Zoe%_@example.test' })

  for (const [query, expected] of [
    ['', [paid, pending]],
    ['?sort=created_at', [pending, paid]],
    ['?sort=-total', [paid, pending]],
    ['?sort=total', [pending, paid]],
    ['?status=pending', [pending]],
    ['?status=pending,failed', [pending]],
    ['?status=pending,processing', [paid, pending]],
    ['?status=pending&status=processing', [paid, pending]],
    ['?payment_method=card', [paid, pending]],
    ['?payment_method=bank_transfer,voucher', []],
    ['?payment_status=paid', [paid]],
    ['?payment_status=unpaid', [pending]],
    ['?payment_status=refunded', []],
    [`?customer_id=${customerId}`, [pending]],
    [`?q=${paid.number}`, [paid]],
    [`?q=${paid.number.toLowerCase()}`, [paid]],
    ['?q=zoe', [paid]],
    ['?q=zoe%25_', [paid]],
    ['?q=%25', []],
    ['?q=byron', [paid, pending]],
    ['?q=nobody', []],
    ['?page=2&page_size=1', [pending]],
    ['?page=99', []],
  ] as const)
    assert.deepEqual(
      await list(query),
      expected.map(({ id }) => id),
      query,
    )
})

test('a status that does not exist is named by its place among several', async () => {
  const { token } = await scene()

  const { status, detail } = await request('GET /admin/orders?status=pending,lost', { token })

  assert.equal(status, 422)
  assert.deepEqual(
    detail.map(({ loc }: { loc: unknown[] }) => loc),
    [['query', 'status', 1]],
  )
})

test('orders with exactly the searched e-mail address or number come first, unless a sort is asked for', async () => {
  const { store, list } = await scene()
  const exact = await buildOrder(store, { email: 'zoe@example.test' })
  const similar = await buildOrder(store, { email: 'chloe.zoe@example.test' })

  assert.deepEqual(await list('?q=Zoe@example.test'), [exact.id, similar.id])
  assert.deepEqual(await list('?q=zoe@example.test&sort=-created_at'), [similar.id, exact.id])
  assert.deepEqual(await list('?q=example.test'), [similar.id, exact.id])
  assert.deepEqual(await list(`?q=${exact.number}`), [exact.id])
})

test('orders are filtered by the time of their creation', async () => {
  const { store, list } = await scene()
  freezeClock(new Date('2026-03-01T10:00:00Z'))
  const early = await buildOrder(store)
  freezeClock(new Date('2026-03-02T10:00:00Z'))
  const late = await buildOrder(store)
  freezeClock(new Date())

  assert.deepEqual(await list('?created_to=2026-03-02T10:00:00Z'), [early.id])
  assert.deepEqual(await list('?created_from=2026-03-02T10:00:00Z'), [late.id])
  assert.deepEqual(await list('?created_from=2026-03-01T11:00:00%2B01:00'), [late.id, early.id])
})

test('an invalid filter returns 422', async () => {
  const { token } = await scene()

  for (const query of [
    'status=lost',
    'status=',
    'status=pending,lost',
    'payment_method=barter',
    'sort=name',
    'created_from=yesterday',
    'customer_id=1',
    'page=0',
    'who=me',
  ])
    assert.equal(
      (await request(`GET /admin/orders?${query}`, { token })).error_code,
      'validation.failed',
      query,
    )
})

test('a list runs as many queries for many orders as for one', async () => {
  const { store, token } = await scene()
  await buildOrder(store)
  const few = await countQueries(() => request('GET /admin/orders', { token }))
  for (let i = 0; i < 5; i++) await buildOrder(store)

  assert.equal(await countQueries(() => request('GET /admin/orders', { token })), few)
})

test('staff read an order with its payments and its history', async () => {
  const { store, token } = await scene()
  const order = await buildPaidOrder(store)

  const { data, headers } = await request(`GET /admin/orders/${order.id}`, { token })

  assert.ok(headers.get('ETag'))
  assert.equal(data.amount_captured, 15)
  assert.deepEqual(
    data.payments.map((payment: Record<string, unknown>) => ({
      status: payment.status,
      gateway_reference: payment.gateway_reference,
      amount: payment.amount,
    })),
    [{ status: 'captured', gateway_reference: order.reference, amount: 15 }],
  )
  assert.equal(data.payments[0].client_secret, undefined)
  assert.deepEqual(
    data.history.map((step: Record<string, unknown>) => ({
      from_status: step.from_status,
      to_status: step.to_status,
      actor: step.actor,
    })),
    [
      { from_status: null, to_status: 'pending', actor: 'guest' },
      { from_status: 'pending', to_status: 'processing', actor: 'gateway' },
    ],
  )
})

test('the ETag changes with the order', async () => {
  const { store, token } = await scene()
  const order = await buildOrder(store)
  const tag = async () => (await request(`GET /admin/orders/${order.id}`, { token })).headers.get('ETag')
  const before = await tag()
  assert.equal(await tag(), before)

  await request(`POST /orders/${order.id}/cancel?access_token=${order.accessToken}`, { store })

  assert.notEqual(await tag(), before)
})

test("another store's orders are not listed and return 404", async () => {
  const { store } = await scene()
  const order = await buildPaidOrder(store)
  const other = await scene()

  assert.deepEqual(await other.list(), [])
  assert.equal((await request(`GET /admin/orders/${order.id}`, { token: other.token })).status, 404)
  const { token } = await buildStaff(other.store, { role: 'owner' })
  assert.equal((await request(`POST /admin/orders/${order.id}/mark-paid`, { token, body: {} })).status, 404)
})

test('reading orders without the right returns 403', async () => {
  const { store } = await scene()
  const { token } = await buildStaff(store, { role: 'catalog' })

  assert.equal((await request('GET /admin/orders', { token })).error_code, 'auth.forbidden')
})

test('marking a bank transfer as paid moves its order to processing', async () => {
  const { store } = await scene()
  const { variants } = await buildProduct(store)
  const variantId = variants[0]?.id ?? ''
  const items = [{ variantId, quantity: 3 }]
  const order = await buildOrder(store, { items, paymentMethod: 'bank_transfer' })
  const { token } = await buildStaff(store, { role: 'accounting' })
  const markPaid = () =>
    request(`POST /admin/orders/${order.id}/mark-paid`, { token, body: { note: 'Statement of 1 March' } })

  const { status, data, headers } = await markPaid()

  assert.equal(status, 200)
  assert.ok(headers.get('ETag'))
  assert.partialDeepStrictEqual(data, { status: 'processing', payment_status: 'paid', amount_captured: 35 })
  assert.deepEqual(await stockOf(store, variantId), { onHand: 100, allocated: 3, held: 0 })
  const repeated = await markPaid()
  assert.equal(repeated.error_code, 'order.not_payable')
  assert.match(repeated.error ?? '', /already paid/)
})

test('marking a cash-on-delivery order as paid keeps its status', async () => {
  const { store } = await scene()
  const order = await buildOrder(store, { paymentMethod: 'cash_on_delivery' })
  const { token } = await buildStaff(store, { role: 'accounting' })

  const { data } = await request(`POST /admin/orders/${order.id}/mark-paid`, { token, body: {} })

  assert.partialDeepStrictEqual(data, { status: 'processing', payment_status: 'paid' })
})

test('marking as paid without the right returns 403', async () => {
  const { store, token } = await scene()
  const order = await buildOrder(store, { paymentMethod: 'bank_transfer' })

  const { status, error_code } = await request(`POST /admin/orders/${order.id}/mark-paid`, {
    token,
    body: {},
  })

  assert.deepEqual({ status, error_code }, { status: 403, error_code: 'order.payment_forbidden' })
})

testBooks()
