import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildPaymentMethods, buildShippingMethod } from '#test/support/builders/methods.ts'
import { buildCheckoutRequest } from '#test/support/builders/orders.ts'
import { fillCart } from '#test/support/builders/place-orders.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildGeoZone, buildTaxClass } from '#test/support/builders/taxes.ts'
import { request } from '#test/support/processes/app.ts'

/** A store's administrator, who may do all of this. */
async function office(currency = 'EUR') {
  const store = await buildStore({ currency })
  const { token } = await buildStaff(store, { role: 'administrator' })
  return { store, token }
}

const PARCEL = { code: 'parcel', name_i18n: { en: 'Parcel' }, price: 4.9 }

const offered = async (store: { key: string }, query: string): Promise<string[]> =>
  (await request(`GET /cart/shipping-methods?${query}`, { store })).data.map(
    ({ code }: { code: string }) => code,
  )

test('POST /admin/shipping-methods creates a method, which the list and the read return', async () => {
  const { store, token } = await office()
  const [zone, taxClass] = [await buildGeoZone(store), await buildTaxClass(store)]
  const body = {
    ...PARCEL,
    estimate_i18n: { en: '2 days' },
    free_from: 50,
    max_weight: 30_000,
    tax_class_id: taxClass.id,
    geo_zone_ids: [zone.id, zone.id],
    position: 3,
    is_active: false,
  }

  const { status, data } = await request('POST /admin/shipping-methods', { token, body })

  assert.equal(status, 201)
  assert.deepEqual({ ...data, ...body, geo_zone_ids: [zone.id] }, data)
  assert.deepEqual((await request(`GET /admin/shipping-methods/${data.id}`, { token })).data, data)
  const list = await request('GET /admin/shipping-methods', { token })
  assert.deepEqual({ data: list.data, total: list.meta.total }, { data: [data], total: 1 })
})

test('a shipping method has no geo zones, weight limit and free amount by default', async () => {
  const { token } = await office()

  const { data } = await request('POST /admin/shipping-methods', { token, body: PARCEL })

  assert.deepEqual(
    {
      geo_zone_ids: data.geo_zone_ids,
      max_weight: data.max_weight,
      free_from: data.free_from,
      tax_class_id: data.tax_class_id,
      is_active: data.is_active,
    },
    { geo_zone_ids: [], max_weight: null, free_from: null, tax_class_id: null, is_active: true },
  )
})

test('PATCH /admin/shipping-methods/{id} keeps omitted fields and checks If-Match', async () => {
  const { store, token } = await office()
  const zone = await buildGeoZone(store)
  const made = await request('POST /admin/shipping-methods', {
    token,
    body: { ...PARCEL, free_from: 50, geo_zone_ids: [zone.id] },
  })
  const path = `/admin/shipping-methods/${made.data.id}`
  const headers = { 'If-Match': made.headers.get('etag') ?? '' }

  const changed = await request(`PATCH ${path}`, { token, body: { price: 5.9 }, headers })
  const late = await request(`PATCH ${path}`, { token, body: { price: 6.9 }, headers })
  const everywhere = await request(`PATCH ${path}`, { token, body: { geo_zone_ids: [], free_from: null } })

  assert.deepEqual({ ...made.data, price: 5.9, updated_at: changed.data.updated_at }, changed.data)
  assert.equal(late.error_code, 'resource.changed')
  assert.deepEqual(
    {
      geo_zone_ids: everywhere.data.geo_zone_ids,
      free_from: everywhere.data.free_from,
      price: everywhere.data.price,
    },
    { geo_zone_ids: [], free_from: null, price: 5.9 },
  )
})

test('a taken code returns 409 shipping_method.code_taken on create and change', async () => {
  const { token } = await office()
  await request('POST /admin/shipping-methods', { token, body: PARCEL })
  const other = await request('POST /admin/shipping-methods', { token, body: { ...PARCEL, code: 'express' } })

  const again = await request('POST /admin/shipping-methods', { token, body: PARCEL })
  const renamed = await request(`PATCH /admin/shipping-methods/${other.data.id}`, {
    token,
    body: { code: 'parcel' },
  })

  for (const { status, error_code } of [again, renamed])
    assert.deepEqual({ status, error_code }, { status: 409, error_code: 'shipping_method.code_taken' })
})

test('an invalid shipping method returns 422 with the location of the field', async () => {
  const { store, token } = await office('JPY')
  const other = await office()
  const made = await request('POST /admin/shipping-methods', {
    token,
    body: { ...PARCEL, code: 'x', price: 5 },
  })
  const [theirZone, theirClass] = [await buildGeoZone(other.store), await buildTaxClass(other.store)]
  assert.ok(store)

  for (const [field, value] of [
    ['price', 4.9],
    ['price', -1],
    ['free_from', 0.5],
    ['max_weight', 0],
    ['max_weight', 1.5],
    ['code', ''],
    ['name_i18n', {}],
    ['position', -1],
    ['countries', ['DE']],
    ['tax_class_id', theirClass.id],
    ['geo_zone_ids', [theirZone.id]],
    ['geo_zone_ids', [newId()]],
  ] as const)
    for (const line of ['POST /admin/shipping-methods', `PATCH /admin/shipping-methods/${made.data.id}`]) {
      const body = { ...PARCEL, price: 5, [field]: value }
      const { status, detail } = await request(line, { token, body })
      const loc = detail?.[0].loc.slice(0, 2)
      assert.deepEqual({ status, loc }, { status: 422, loc: ['body', field] }, `${line} ${field}`)
    }
})

test('DELETE /admin/shipping-methods/{id} deletes the method; its geo zone can be deleted then', async () => {
  const { store, token } = await office()
  const zone = await buildGeoZone(store)
  const body = { ...PARCEL, geo_zone_ids: [zone.id] }
  const { data } = await request('POST /admin/shipping-methods', { token, body })
  const path = `/admin/shipping-methods/${data.id}`
  const removeZone = () => request(`DELETE /admin/geo/geo-zones/${zone.id}`, { token })

  assert.equal((await removeZone()).error_code, 'geo_zone.in_use')
  assert.equal((await request(`DELETE ${path}`, { token })).status, 200)
  assert.equal((await removeZone()).status, 200)
  for (const method of ['GET', 'DELETE'])
    assert.equal((await request(`${method} ${path}`, { token })).status, 404)
})

test('a shipping method is offered in the countries, zones, subzones and postcodes of its geo zones', async () => {
  const { store, token } = await office()
  const add = async (code: string, ...members: { country: string; zone?: string; postcode?: string }[]) => {
    const geo_zone_ids = members.length ? [(await buildGeoZone(store, members)).id] : []
    await request('POST /admin/shipping-methods', { token, body: { ...PARCEL, code, geo_zone_ids } })
  }
  await add('everywhere')
  await add('europe', { country: 'DE' }, { country: 'FR' }, { country: 'GB' })
  await add('ile-de-france', { country: 'FR', zone: 'FR-IDF' })
  await add('ulster', { country: 'GB', postcode: 'BT*' })
  await add('islands', { country: 'DE', postcode: '27498' }, { country: 'DE', postcode: '2593*' })
  await add('nowhere', { country: 'US', zone: 'US-NY' })

  for (const [query, codes] of [
    ['country=DE', ['europe', 'everywhere']],
    ['country=DE&zone=DE-SH&postcode=27498', ['europe', 'everywhere', 'islands']],
    ['country=DE&postcode=25938', ['europe', 'everywhere', 'islands']],
    ['country=DE&postcode=274980', ['europe', 'everywhere']],
    ['country=FR', ['europe', 'everywhere']],
    ['country=FR&zone=FR-IDF', ['europe', 'everywhere', 'ile-de-france']],
    ['country=FR&zone=FR-75C', ['europe', 'everywhere', 'ile-de-france']],
    ['country=FR&zone=FR-69', ['europe', 'everywhere']],
    ['country=GB&postcode=bt1%201aa', ['europe', 'everywhere', 'ulster']],
    ['country=GB&postcode=SW1A%201AA', ['europe', 'everywhere']],
    ['country=GB&postcode=%25', ['europe', 'everywhere']],
    ['country=JP', ['everywhere']],
  ] as const)
    assert.deepEqual(await offered(store, query), codes, query)
})

test('a country that the store does not sell to has no shipping offers', async () => {
  const { store, token } = await office()
  await request('POST /admin/shipping-methods', { token, body: PARCEL })

  await request('PATCH /admin/geo/countries/DE', { token, body: { is_active: false } })

  assert.deepEqual(await offered(store, 'country=DE'), [])
  assert.deepEqual(await offered(store, 'country=AT'), ['parcel'])
})

test('GET /cart/shipping-methods with an unknown place returns 422 with its location', async () => {
  const { store } = await office()

  for (const [query, field] of [
    ['', 'country'],
    ['country=ZZ', 'country'],
    ['country=DE&zone=AT-9', 'zone'],
    ['country=DE&zone=DE-XX', 'zone'],
  ]) {
    const { status, detail } = await request(`GET /cart/shipping-methods?${query}`, { store })
    assert.deepEqual({ status, loc: detail[0].loc }, { status: 422, loc: ['query', field] }, query)
  }
})

test('a store without an active shipping method returns 422 with advice for staff at checkout and in the list of offers', async () => {
  const { store, token } = await office()
  await buildPaymentMethods(store)
  const { variants } = await buildProduct(store)
  const cart = await fillCart(store, variants[0]?.id ?? '')
  const offers = () => request('GET /cart/shipping-methods?country=DE', { store, cart })
  const { shipping_method_id, ...body } = buildCheckoutRequest(newId(), 'cash_on_delivery')
  const checkOut = (more: object = {}) =>
    request('POST /checkout', { store, cart, key: newId(), body: { ...body, ...more } })

  for (const refused of [await offers(), await checkOut(), await checkOut({ shipping_method_id })]) {
    assert.partialDeepStrictEqual(refused, { status: 422, error_code: 'checkout.shipping_unavailable' })
    assert.match(refused.error ?? '', /no active shipping method yet.*POST \/admin\/shipping-methods/)
  }

  const { data: method } = await request('POST /admin/shipping-methods', { token, body: PARCEL })
  assert.deepEqual((await checkOut()).detail[0].loc, ['body', 'shipping_method_id'])
  assert.match((await checkOut({ shipping_method_id })).error ?? '', /does not deliver to the address/)
  assert.equal((await checkOut({ shipping_method_id: method.id })).status, 201)
  await request(`PATCH /admin/shipping-methods/${method.id}`, { token, body: { is_active: false } })
  assert.equal((await offers()).error_code, 'checkout.shipping_unavailable')
})

test('a cart of gift vouchers needs no shipping method', async () => {
  const { store } = await office()
  const person = {
    to_name: 'Ada',
    to_email: 'ada@example.test',
    from_name: 'Bo',
    from_email: 'bo@example.test',
  }
  const body = { voucher: { amount: 20, ...person } }
  const { data } = await request('POST /cart/items', { store, body })

  assert.deepEqual(
    (await request('GET /cart/shipping-methods?country=DE', { store, cart: data.token })).data,
    [],
  )
})

test('a store has at most 500 shipping methods', async () => {
  const { store, token } = await office()
  const { id } = await buildShippingMethod(store)
  await inStore(store.id, (tx) =>
    tx.knex.raw(
      `insert into shipping_methods select (jsonb_populate_record(s,
         jsonb_build_object('id', gen_random_uuid(), 'code', 'method-' || number))).*
       from shipping_methods s, generate_series(1, 499) number where s.id = ?`,
      [id],
    ),
  )

  const { status, error_code } = await request('POST /admin/shipping-methods', { token, body: PARCEL })

  assert.deepEqual({ status, error_code }, { status: 409, error_code: 'shipping_method.limit_reached' })
})
