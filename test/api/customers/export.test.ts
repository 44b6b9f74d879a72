import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { MINUTE_MS, now } from '#shared/platform/time/clock.ts'
import { request } from '#test/support/app.ts'
import { buildStore } from '#test/support/build.ts'
import { buildCustomer, buildStaff } from '#test/support/build-accounts.ts'
import { buildOrder } from '#test/support/build-orders.ts'
import { moveClock, stopClock } from '#test/support/clock.ts'

async function scene() {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'administrator' })
  const customer = await buildCustomer(store)
  const order = await buildOrder(store, { customerId: customer.id })
  await request(`PATCH /admin/customers/${customer.id}`, { token, body: { note: 'Haggles' } })
  for (const note of [
    { body: 'Suspect', is_customer_visible: false },
    { body: 'Packed', is_customer_visible: true },
  ])
    assert.equal((await request(`POST /admin/orders/${order.id}/notes`, { token, body: note })).status, 201)
  return { store, token, customer, order }
}

test("the customer's own export has no internal notes", async () => {
  const { store, customer, order } = await scene()

  const { status, data } = await request('GET /auth/me/export', { store, token: customer.token })

  assert.equal(status, 200)
  assert.partialDeepStrictEqual(data.order_notes, [{ order_id: order.id, body: 'Packed' }])
  assert.ok(!('note' in data.customer))
  assert.doesNotMatch(JSON.stringify(data), /Haggles|Suspect/)
})

test("the staff's export of a customer has the internal notes", async () => {
  const { token, customer } = await scene()

  const { data } = await request(`GET /admin/customers/${customer.id}/export`, { token })

  assert.partialDeepStrictEqual(data, {
    customer: { note: 'Haggles' },
    order_notes: [{ body: 'Suspect' }, { body: 'Packed' }],
  })
})

test('an export can be restricted to the orders of a period, with their notes', async () => {
  stopClock()
  const { store, token, customer, order } = await scene()
  moveClock(MINUTE_MS)
  const later = await buildOrder(store, { customerId: customer.id })
  const between = new Date(now().getTime() - MINUTE_MS / 2).toISOString()
  const exportBy = async (query: string) =>
    (await request(`GET /admin/customers/${customer.id}/export?${query}`, { token })).data

  const [before, after] = [await exportBy(`orders_to=${between}`), await exportBy(`orders_from=${between}`)]
  const { data: own } = await request(`GET /auth/me/export?orders_from=${between}`, {
    store,
    token: customer.token,
  })

  const ids = ({ orders }: { orders: { id: string }[] }) => orders.map(({ id }) => id)
  assert.deepEqual(
    { before: ids(before), notesBefore: before.order_notes.length, after: ids(after), own: ids(own) },
    { before: [order.id], notesBefore: 2, after: [later.id], own: [later.id] },
  )
  assert.deepEqual(after.order_notes, [])
})
