import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { withExportPermit } from '#shared/customer-records/export-permit.ts'
import { Customer } from '#shared/customers/customer.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { MINUTE_MS, now } from '#shared/platform/time/clock.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildOrder } from '#test/support/builders/orders.ts'
import { buildStore, nextNumber } from '#test/support/builders/store.ts'
import { buildVoucher } from '#test/support/builders/vouchers.ts'
import { moveClock, stopClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'
import { until } from '#test/support/races/until.ts'

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

  const [before, after] = [await exportBy(`created_to=${between}`), await exportBy(`created_from=${between}`)]
  const { data: own } = await request(`GET /auth/me/export?created_from=${between}`, {
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

test("a customer's export has the vouchers of their orders and those to them, not those that name them as giver", async () => {
  const store = await buildStore()
  const email = `former-${nextNumber()}@example.test`
  const other = await buildCustomer(store)
  const me = await buildCustomer(store, { email, verifiedAt: new Date() })
  const others = await buildOrder(store, { customerId: other.id })
  const asGuest = await buildOrder(store, { email })
  const guests = await buildOrder(store)
  const mine = await buildOrder(store, { customerId: me.id })
  const gift = { fromEmail: email, toName: 'Grace' }
  for (const { id: orderId } of [others, guests]) await buildVoucher(store, { ...gift, orderId })
  await buildVoucher(store, gift)
  await buildVoucher(store, { ...gift, orderId: others.id, toEmail: email.toUpperCase(), message: 'to me' })
  await buildVoucher(store, { orderId: asGuest.id, message: 'bought as a guest' })
  await buildVoucher(store, { orderId: mine.id, message: 'bought by me' })

  const { data } = await request('GET /auth/me/export', { store, token: me.token })

  assert.deepEqual(
    data.vouchers.map((one: { message: string }) => one.message),
    ['to me', 'bought as a guest', 'bought by me'],
  )
})

test("the export of a customer who has the store's address has no vouchers that staff issued to others", async () => {
  const { store, token } = await scene()
  const { data: settings } = await request('GET /admin/settings', { token })
  const me = await buildCustomer(store, { email: settings.email, verifiedAt: now() })
  const body = { amount: 20, to_name: 'Grace', to_email: 'grace@example.test', message: 'Happy birthday' }
  const issued = await request('POST /admin/vouchers', { token, body })

  const { data } = await request('GET /auth/me/export', { store, token: me.token })

  assert.equal(issued.data.from_email, me.email, 'control')
  assert.deepEqual(data.vouchers, [])
})

test("while a customer's export runs, others of the store wait; those of staff and of other stores do not", async (t) => {
  const { store, token, customer } = await scene()
  const [other, elsewhere] = [await buildCustomer(store), await scene()]
  const finish = holdExportPermit(t, store.id)

  const waiting = [customer, other].map(({ token }) => request('GET /auth/me/export', { store, token }))
  await untilWaiting(2)
  const ofStaff = await request(`GET /admin/customers/${customer.id}/export`, { token })
  const ofOtherStore = await request('GET /auth/me/export', {
    store: elsewhere.store,
    token: elsewhere.customer.token,
  })
  finish()

  assert.equal(ofStaff.status, 200)
  assert.equal(ofOtherStore.status, 200)
  for (const { status } of await Promise.all(waiting)) assert.equal(status, 200)
})

test('an export that waits for its turn is refused if the customer was deactivated meanwhile', async (t) => {
  const { store, customer } = await scene()
  const finish = holdExportPermit(t, store.id)

  const waiting = request('GET /auth/me/export', { store, token: customer.token })
  await untilWaiting(1)
  await inStore(store.id, (tx) => Customer.in(tx).findById(customer.id).patch({ isActive: false }))
  finish()

  assert.equal((await waiting).status, 401)
})

/** Keeps the permit for exports of a store until the returned function is called, or the test ends. */
function holdExportPermit(t: TestContext, storeId: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  void withExportPermit(storeId, () => promise)
  t.after(() => resolve())
  return resolve
}

const untilWaiting = (count: number): Promise<void> =>
  until(`${count} exports wait`, async () => withExportPermit.countWaiting() === count)
