import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { MAX_ADDRESSES } from '#shared/customers/customer-address.ts'
import { newId } from '#shared/platform/db/id.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { ADDRESS, buildCheckoutRequest } from '#test/support/builders/orders.ts'
import { buildShop, checkOut, fillCart } from '#test/support/builders/place-orders.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'

async function resident() {
  const store = await buildStore()
  const { token } = await buildCustomer(store)
  const as = { store, token }
  return {
    store,
    as,
    add: (more: object = {}) => request('POST /addresses', { ...as, body: { ...ADDRESS, ...more } }),
    list: async () => (await request('GET /addresses', as)).data,
    change: (id: string, body: object) => request(`PATCH /addresses/${id}`, { ...as, body }),
    remove: (id: string) => request(`DELETE /addresses/${id}`, as),
  }
}

interface Entry {
  id: string
  is_default_shipping: boolean
  is_default_billing: boolean
}
const defaultsOf = (entries: Entry[]) => ({
  shipping: entries.filter((entry) => entry.is_default_shipping).map(({ id }) => id),
  billing: entries.filter((entry) => entry.is_default_billing).map(({ id }) => id),
})

test('POST /addresses saves an address; the first is the default for shipping and billing', async () => {
  const { add, list } = await resident()
  const given = {
    company: 'Analytical Engines',
    address_2: 'Back yard',
    zone: 'DE-SH',
    telephone: '+49 431 1',
  }

  const { status, data } = await add(given)

  const { id, created_at, updated_at, ...rest } = data
  assert.equal(status, 201)
  assert.ok(id && created_at === updated_at)
  assert.deepEqual(rest, { ...ADDRESS, ...given, is_default_shipping: true, is_default_billing: true })
  assert.deepEqual(await list(), [data])
})

test('a saved address omits empty fields and is accepted by checkout', async () => {
  const shop = await buildShop()
  const { token } = await buildCustomer(shop.store)
  const asked = { store: shop.store, token }
  await request('POST /addresses', { ...asked, body: ADDRESS })
  const [entry] = (await request('GET /addresses', asked)).data
  const { id, is_default_shipping, is_default_billing, created_at, updated_at, ...address } = entry
  const cart = await fillCart(shop.store, shop.variantId)

  const body = { ...buildCheckoutRequest(shop.shipping.id, 'bank_transfer'), shipping_address: address }
  const { status, data } = await checkOut(shop, { cart, body })

  assert.deepEqual(address, ADDRESS)
  assert.deepEqual(
    { status, shipping_address: data.order?.shipping_address },
    { status: 201, shipping_address: address },
  )
})

test('a later address with a default flag replaces the former default', async () => {
  const { add, list } = await resident()
  const first = (await add()).data.id
  const second = (await add({ is_default_billing: true })).data.id
  const third = (await add()).data.id

  const entries = await list()

  assert.deepEqual(defaultsOf(entries), { shipping: [first], billing: [second] })
  assert.deepEqual(
    entries.map(({ id }: Entry) => id),
    [first, second, third],
    'the defaults first',
  )
})

test('a first address with a default flag of false is not that default', async () => {
  const { add } = await resident()

  const { data } = await add({ is_default_shipping: false })

  assert.partialDeepStrictEqual(data, { is_default_shipping: false, is_default_billing: true })
})

test('PATCH /addresses/{id} changes the given fields, removes null fields and moves defaults', async () => {
  const { add, list, change } = await resident()
  const first = (await add({ company: 'Engines', zone: 'DE-SH' })).data
  const second = (await add()).data

  const changed = await change(first.id, { city: 'Lübeck', company: null })
  const moved = await change(second.id, { is_default_shipping: true })
  const dropped = await change(first.id, { is_default_billing: false })

  const { company: _, ...rest } = first
  const { updated_at } = changed.data
  assert.deepEqual(changed.data, { ...rest, city: 'Lübeck', updated_at })
  assert.ok(updated_at > first.updated_at)
  assert.equal(moved.data.is_default_shipping, true)
  assert.equal(dropped.data.is_default_billing, false)
  assert.deepEqual(defaultsOf(await list()), { shipping: [second.id], billing: [] })
})

test('one of 20 concurrent default addresses is the default', async () => {
  const { add, list } = await resident()

  await Promise.all(Array.from({ length: 20 }, () => add({ is_default_shipping: true })))

  const entries = await list()
  assert.equal(entries.length, 20)
  assert.deepEqual(
    { shippingCount: defaultsOf(entries).shipping.length, billingCount: defaultsOf(entries).billing.length },
    { shippingCount: 1, billingCount: 1 },
  )
})

test('DELETE /addresses/{id} deletes once and makes no other address the default', async () => {
  const { add, list, remove } = await resident()
  const [first, second] = [(await add()).data.id, (await add()).data.id]

  const gone = await remove(first)

  assert.partialDeepStrictEqual(gone, { status: 200, data: null })
  assert.equal((await remove(first)).error_code, 'resource.not_found')
  const entries = await list()
  assert.equal(entries[0].id, second)
  assert.deepEqual(defaultsOf(entries), { shipping: [], billing: [] })
})

test('an unknown country or a zone of another country returns 422 on create and change', async () => {
  const { add, change } = await resident()
  const { id } = (await add({ zone: 'DE-SH' })).data
  const faulty = async (answer: ReturnType<typeof request>) => {
    const { status, detail } = await answer
    return [status, detail[0].loc.join('.')]
  }

  assert.deepEqual(await faulty(add({ country: 'XX' })), [422, 'body.country'])
  assert.deepEqual(await faulty(add({ zone: 'AT-9' })), [422, 'body.zone'])
  assert.deepEqual(await faulty(change(id, { country: 'AT' })), [422, 'body.zone'])
  assert.equal((await change(id, { country: 'AT', zone: null })).status, 200)
})

test('an invalid address returns 422 with the location of each fault', async () => {
  const { as, add, change } = await resident()
  const { id } = (await add()).data
  const { city: _, ...noCity } = ADDRESS

  const missing = await request('POST /addresses', { ...as, body: noCity })
  assert.deepEqual(
    { loc: missing.detail[0].loc, type: missing.detail[0].type },
    { loc: ['body', 'city'], type: 'missing' },
  )
  for (const body of [{ city: ' ' }, { postcode: 'a'.repeat(21) }, { country: 'de' }, { id: newId() }])
    assert.equal((await add(body)).status, 422, JSON.stringify(body))
  for (const body of [{}, { city: null }, { customer_id: newId() }])
    assert.equal((await change(id, body)).status, 422, JSON.stringify(body))
  assert.equal((await change('here', { city: 'Kiel' })).status, 422)
})

test('an address above the limit returns 422 address.limit_reached', async () => {
  const { add, list, remove } = await resident()
  for (let i = 0; i < MAX_ADDRESSES; i++) await add()

  const tooMany = await add()
  await remove((await list())[0].id)

  assert.partialDeepStrictEqual(tooMany, { status: 422, error_code: 'address.limit_reached' })
  assert.equal((await add()).status, 201)
})

test("another customer's address is not listed and returns 404", async () => {
  const { store, add, list } = await resident()
  const { id } = (await add()).data
  const neighbour = { store, token: (await buildCustomer(store)).token }
  const stranger = await resident()

  for (const as of [neighbour, stranger.as]) {
    assert.deepEqual((await request('GET /addresses', as)).data, [])
    const answers = [
      await request(`PATCH /addresses/${id}`, { ...as, body: { city: 'Kiel', is_default_shipping: true } }),
      await request(`DELETE /addresses/${id}`, as),
    ]
    for (const { status, error_code } of answers)
      assert.deepEqual({ status, error_code }, { status: 404, error_code: 'resource.not_found' })
  }
  assert.equal((await list()).length, 1)
})

test('the address book without a customer token returns 401', async () => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'owner' })

  for (const asked of [{ store }, { store, token }])
    for (const line of ['GET /addresses', 'POST /addresses', `DELETE /addresses/${newId()}`])
      assert.equal((await request(line, asked)).error_code, 'auth.not_authenticated', line)
})
