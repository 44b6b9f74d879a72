import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildCapturedOrder } from '#test/support/builders/captured-order.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { ADDRESS, buildOrder } from '#test/support/builders/orders.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildGeoZone, buildTaxRate } from '#test/support/builders/taxes.ts'
import { type RequestOptions, request } from '#test/support/processes/app.ts'
import '#test/support/processes/gateway.ts'
import { eventsOf } from '#test/support/books/read-refunds.ts'

const MOVED = {
  firstname: 'Ada',
  lastname: 'Lovelace',
  company: 'Engines Ltd',
  address_1: 'Harbor Street 3',
  city: 'Hamburg',
  postcode: '20457',
  country: 'DE',
}

async function scene(units = 1) {
  const store = await buildStore()
  const { token, id } = await buildStaff(store, { role: 'sales' })
  const { variants } = await buildProduct(store)
  const items = [{ variantId: variants[0]?.id ?? '', quantity: units }]
  const order = await buildOrder(store, { paymentMethod: 'cash_on_delivery', items })
  const path = `/admin/orders/${order.id}`
  const change = (shipping_address: object, more: RequestOptions = {}) =>
    request(`PATCH ${path}`, { token, body: { shipping_address }, ...more })
  const read = async () => (await request(`GET ${path}`, { token })).data
  const ship = (items?: object[]) =>
    request(`POST ${path}/shipments`, { token, body: items ? { items } : {} })
  return { store, token, staff: `staff:${id}`, order, path, change, read, ship }
}

test('staff change the shipping address; the history keeps the former one with its author', async () => {
  const { store, token, staff, order, path, change, read } = await scene()
  const before = await read()

  const { status, data, headers } = await change(MOVED)

  assert.equal(status, 200)
  assert.deepEqual(data.shipping_address, MOVED)
  assert.deepEqual(data.billing_address, ADDRESS, 'the billing address stays')
  assert.ok(headers.get('etag'))
  const after = await read()
  assert.partialDeepStrictEqual(after, { ...MONEY(before), shipping_address: MOVED })
  assert.partialDeepStrictEqual(after.history.at(-1), {
    actor: staff,
    note: 'Shipping address changed. It was: Ada Byron, Quay 12, 24103 Kiel, DE',
  })
  const [event] = (await eventsOf(store, order.id, 'order.updated')).slice(-1)
  assert.partialDeepStrictEqual(event?.data, { shipping_address: MOVED })
  const history = await request(`GET ${path}/history`, { token })
  assert.match(history.data.at(-1).text, /^Shipping address changed/)
})

const MONEY = ({ total, tax_total, shipping_total }: Record<string, number>) => ({
  total,
  tax_total,
  shipping_total,
})

test('the same address again changes nothing', async () => {
  const { store, order, change, read } = await scene()
  await change(MOVED)
  const before = await read()

  await change(MOVED)

  assert.deepEqual(await read(), before)
  assert.equal((await eventsOf(store, order.id, 'order.updated')).length, 1)
})

test('an address in another country returns 409 and says what to do', async () => {
  const { change, read } = await scene()

  const { status, error_code, error } = await change({
    ...MOVED,
    country: 'AT',
    postcode: '1010',
    city: 'Wien',
  })

  assert.deepEqual({ status, error_code }, { status: 409, error_code: 'order.address_in_other_zone' })
  assert.match(error ?? '', /place it again/)
  assert.deepEqual((await read()).shipping_address, ADDRESS)
})

test('an address in another geo zone of the country returns 409; one in the same zones is saved', async () => {
  const { store, change, read } = await scene()
  await buildTaxRate(store, { percent: 7, members: [{ country: 'DE', postcode: '2*' }] })
  await buildGeoZone(store, [{ country: 'DE', postcode: '27498' }])

  const island = await change({ ...MOVED, postcode: '27498', city: 'Helgoland' })
  const south = await change({ ...MOVED, postcode: '80331', city: 'München' })

  for (const refused of [island, south])
    assert.partialDeepStrictEqual(refused, { status: 409, error_code: 'order.address_in_other_zone' })
  assert.deepEqual((await read()).shipping_address, ADDRESS)
  assert.equal((await change(MOVED)).status, 200)
})

test('once a unit is shipped, the address is fixed', async () => {
  const { store, token } = await scene()
  const order = await buildCapturedOrder(store, { lines: [{ priceMinor: 1_000n, quantity: 2 }] })
  const path = `/admin/orders/${order.id}`
  const items = [{ order_item_id: order.lines[0]?.id, quantity: 1 }]
  const change = () => request(`PATCH ${path}`, { token, body: { shipping_address: address } })
  const { shipping_address } = (await request(`GET ${path}`, { token })).data
  const address = { ...shipping_address, address_1: 'Another Street 2' }
  const shipment = await request(`POST ${path}/shipments`, { token, body: { items } })

  assert.partialDeepStrictEqual(await change(), { status: 409, error_code: 'order.address_fixed' })

  await request(`DELETE ${path}/shipments/${shipment.data.id}`, { token })
  assert.equal((await change()).status, 200, 'a deleted shipment did not take place')
})

for (const status of ['shipped', 'complete', 'canceled'])
  test(`the address of an order that is ${status} is fixed`, async () => {
    const { token, path, change } = await scene()
    assert.equal((await request(`PATCH ${path}`, { token, body: { status } })).status, 200)

    assert.partialDeepStrictEqual(await change(MOVED), { status: 409, error_code: 'order.address_fixed' })
  })

test('of a change and a shipment at the same time, no order ships without its history knowing the address', async () => {
  const { change, ship, read } = await scene()

  const [changed, shipped] = await Promise.all([change(MOVED), ship()])

  assert.equal(shipped.status, 201)
  assert.ok(changed.status === 200 || changed.error_code === 'order.address_fixed')
  const { shipping_address } = await read()
  assert.deepEqual(shipping_address, changed.status === 200 ? MOVED : ADDRESS)
})

test('an order can take its new address and ship in one request', async () => {
  const { token, path } = await scene()

  const body = { shipping_address: MOVED, status: 'shipped' }
  const { status, data } = await request(`PATCH ${path}`, { token, body })

  assert.equal(status, 200)
  assert.partialDeepStrictEqual(data, { status: 'shipped', shipping_address: MOVED })
})

test('an incomplete address or an unknown place returns 422 with its location', async () => {
  const { change, read } = await scene()
  const { city: _, ...incomplete } = MOVED

  const missing = await change(incomplete)
  const unknown = await change({ ...MOVED, zone: 'DE-XX' })

  assert.deepEqual(missing.detail[0].loc, ['body', 'shipping_address', 'city'])
  assert.deepEqual(unknown.detail[0].loc, ['body', 'shipping_address', 'zone'])
  assert.deepEqual({ missing: missing.status, unknown: unknown.status }, { missing: 422, unknown: 422 })
  assert.deepEqual((await read()).shipping_address, ADDRESS)
})

test("a stale ETag returns 412, and another store's order 404", async () => {
  const { change, path } = await scene()
  const stranger = await buildStaff(await buildStore(), { role: 'sales' })

  const stale = await change(MOVED, { headers: { 'If-Match': '"0"' } })
  const foreign = await request(`PATCH ${path}`, { token: stranger.token, body: { shipping_address: MOVED } })

  assert.deepEqual({ stale: stale.status, foreign: foreign.status }, { stale: 412, foreign: 404 })
})

/** The fields in which the two addresses differ. */
const changedIn = (address: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(address).filter(
      ([name]) => (ADDRESS as Record<string, unknown>)[name] !== (MOVED as Record<string, unknown>)[name],
    ),
  )

test('the change is in the audit log with the changed parts of the address', async () => {
  const { store, order, change } = await scene()
  await change(MOVED)
  const { token } = await buildStaff(store, { role: 'administrator' })

  const { data } = await request(`GET /admin/audit-log?resource_id=${order.id}`, { token })

  assert.partialDeepStrictEqual(data[0], {
    action: 'patchAdminOrdersOrderId',
    before: { shipping_address: changedIn(ADDRESS) },
    after: { shipping_address: changedIn(MOVED) },
  })
})

test('an order with 500 entries in its history takes no note, address or part, but it is shipped', async () => {
  const { store, token, order, path, change, ship } = await scene(2)
  const note = () => request(`PATCH ${path}`, { token, body: { note: 'Rang twice' } })
  await inStore(store.id, ({ knex }) =>
    knex.raw(
      `insert into order_steps select copy.* from order_steps one, generate_series(1, 500) n,
         jsonb_populate_record(one, jsonb_build_object('id', gen_random_uuid(), 'note', n::text)) copy
       where one.id = (select id from order_steps where order_id = ? order by id limit 1)`,
      [order.id],
    ),
  )
  const part = [{ order_item_id: order.items[0]?.id, quantity: 1 }]

  const refused = [await note(), await change(MOVED), await ship(part)]
  const shipped = await ship()

  for (const one of refused)
    assert.partialDeepStrictEqual(one, { status: 409, error_code: 'order.history_limit_reached' })
  assert.equal(shipped.status, 201)
})
