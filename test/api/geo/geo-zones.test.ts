import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GeoZone } from '#shared/geo/geo-zone.ts'
import { findZonesContaining, placeJson, zonesContainingSql } from '#shared/geo/place.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { superuser } from '#test/support/database.ts'
import { request } from '#test/support/processes/app.ts'

/** A store's administrator, who may do all of this. */
async function office() {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'administrator' })
  return { store, token }
}

/** A geo zone with these members. */
async function zoneOf(token: string, members: object[] = [], name = 'Europe'): Promise<string> {
  const { status, data } = await request('POST /admin/geo/geo-zones', { token, body: { name, members } })
  assert.equal(status, 201)
  return data.id
}

test('POST /admin/geo/geo-zones creates a geo zone, which the list and the read return', async () => {
  const { token } = await office()
  const body = { name: 'Germany', description: 'The whole of it' }

  const { status, data, headers } = await request('POST /admin/geo/geo-zones', { token, body })

  assert.equal(status, 201)
  assert.deepEqual({ ...data, ...body }, data)
  const read = await request(`GET /admin/geo/geo-zones/${data.id}`, { token })
  assert.deepEqual(read.data, data)
  assert.equal(read.headers.get('etag'), headers.get('etag'))
  const list = await request('GET /admin/geo/geo-zones?page=1&page_size=1', { token })
  assert.deepEqual(
    { data: list.data, meta: list.meta },
    { data: [data], meta: { page: 1, page_size: 1, total: 1, total_pages: 1 } },
  )
})

test('PATCH /admin/geo/geo-zones/{id} returns exactly the four documented fields', async () => {
  const { token } = await office()
  const id = await zoneOf(token)

  const { status, data } = await request(`PATCH /admin/geo/geo-zones/${id}`, {
    token,
    body: { name: 'EU', description: 'The union' },
  })

  assert.equal(status, 200)
  assert.deepEqual(Object.keys(data).sort(), ['created_at', 'description', 'id', 'name'])
  assert.partialDeepStrictEqual(data, { id, name: 'EU', description: 'The union' })
  assert.match(data.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

test('PATCH /admin/geo/geo-zones/{id} keeps omitted fields and checks If-Match', async () => {
  const { token } = await office()
  const id = await zoneOf(token)
  const path = `/admin/geo/geo-zones/${id}`
  const { headers } = await request(`GET ${path}`, { token })
  const stale = { 'If-Match': headers.get('etag') ?? '' }

  const described = await request(`PATCH ${path}`, { token, body: { description: 'Here' }, headers: stale })
  const late = await request(`PATCH ${path}`, { token, body: { name: 'Late' }, headers: stale })

  assert.partialDeepStrictEqual(described.data, { name: 'Europe', description: 'Here' })
  assert.partialDeepStrictEqual(late, { status: 412, error_code: 'resource.changed' })
})

test('PATCH /admin/geo/geo-zones/{id} with an invalid field returns 422 with its location', async () => {
  const { token } = await office()
  const path = `/admin/geo/geo-zones/${await zoneOf(token)}`

  for (const [body, field] of [
    [{ name: '' }, 'name'],
    [{ name: '   ' }, 'name'],
    [{ name: 7 }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ description: 'x'.repeat(2_001) }, 'description'],
    [{ members: [] }, 'members'],
    [{ created_at: '2026-01-01T00:00:00.000Z' }, 'created_at'],
  ] as const) {
    const { status, detail } = await request(`PATCH ${path}`, { token, body })
    assert.deepEqual(
      { status, loc: detail[0].loc },
      { status: 422, loc: ['body', field] },
      JSON.stringify(body),
    )
  }
  assert.equal((await request(`PATCH ${path}`, { token, body: {} })).error_code, 'validation.failed')
})

test('PUT /admin/geo/geo-zones/{id}/members replaces the members; a repeat changes nothing', async () => {
  const { token } = await office()
  const path = `/admin/geo/geo-zones/${await zoneOf(token, [{ country: 'DE' }])}/members`
  const members = [
    { country: 'FR', zone: 'FR-IDF' },
    { country: 'GB', postcode: 'bt *' },
    { country: 'AT' },
    { country: 'AT', zone: null },
  ]

  const first = await request(`PUT ${path}`, { token, body: { members } })
  const second = await request(`PUT ${path}`, { token, body: { members } })

  assert.deepEqual(first.data, [
    { country: 'AT', zone: '', postcode: '' },
    { country: 'FR', zone: 'FR-IDF', postcode: '' },
    { country: 'GB', zone: '', postcode: 'BT*' },
  ])
  assert.deepEqual(second.data, first.data)
  assert.deepEqual((await request(`GET ${path}`, { token })).data, first.data)
})

test('an unknown place as member of a geo zone returns 422 with its location', async () => {
  const { token } = await office()
  const path = `/admin/geo/geo-zones/${await zoneOf(token)}/members`

  for (const [member, field] of [
    [{ country: 'ZZ' }, 'country'],
    [{ country: 'de' }, 'country'],
    [{ country: 'DE', zone: 'AT-9' }, 'zone'],
    [{ country: 'DE', zone: 'DE-XX' }, 'zone'],
    [{ country: 'DE', postcode: '%' }, 'postcode'],
    [{ country: 'DE', postcode: '*' }, 'postcode'],
  ] as const) {
    const { status, detail } = await request(`PUT ${path}`, {
      token,
      body: { members: [{ country: 'DE' }, member] },
    })
    assert.deepEqual(
      { status, loc: detail[0].loc },
      { status: 422, loc: ['body', 'members', 1, field] },
      JSON.stringify(member),
    )
  }
  assert.deepEqual((await request(`GET ${path}`, { token })).data, [])
})

test('DELETE /admin/geo/geo-zones/{id} deletes the geo zone with its members', async () => {
  const { token } = await office()
  const path = `/admin/geo/geo-zones/${await zoneOf(token, [{ country: 'DE' }])}`

  const { status, data } = await request(`DELETE ${path}`, { token })

  assert.deepEqual({ status, data }, { status: 200, data: null })
  for (const line of [`GET ${path}`, `DELETE ${path}`, `GET ${path}/members`])
    assert.equal((await request(line, { token })).status, 404, line)
})

test("an unknown geo zone and another store's return 404", async () => {
  const { token } = await office()
  const id = await zoneOf((await office()).token)

  for (const path of [`/admin/geo/geo-zones/${id}`, `/admin/geo/geo-zones/${newId()}`]) {
    assert.equal((await request(`GET ${path}`, { token })).status, 404)
    assert.equal((await request(`PATCH ${path}`, { token, body: { name: 'Mine' } })).status, 404)
    assert.equal((await request(`PUT ${path}/members`, { token, body: { members: [] } })).status, 404)
    assert.equal((await request(`DELETE ${path}`, { token })).status, 404)
  }
})

test('the 501st geo zone of a store is refused', async () => {
  const { store, token } = await office()
  const zones = Array.from({ length: 500 }, (_, n) => ({
    name: `Zone ${n}`,
    description: '',
    createdAt: now(),
    updatedAt: now(),
  }))
  await inStore(store.id, (tx) => GeoZone.in(tx).insert(zones))

  const refused = await request('POST /admin/geo/geo-zones', { token, body: { name: 'One more' } })

  assert.partialDeepStrictEqual(refused, { status: 409, error_code: 'geo_zone.limit_reached' })
})

test('the zones around a postcode are found without reading those of other postcodes', async () => {
  const { store, token } = await office()
  const postcodes = (zone: number) =>
    Array.from({ length: 2_000 }, (_, n) => ({ country: 'DE', postcode: `${10_000 + n}${zone}*` }))
  for (const zone of [1, 2]) await zoneOf(token, postcodes(zone))
  const wanted = await zoneOf(token, [{ country: 'DE', postcode: '24*' }])
  await zoneOf(token, [{ country: 'DE', postcode: '25*' }])
  await superuser.query('analyze geo_zone_members')
  const place = { country: 'DE', postcode: '24 103' }
  const query = zonesContainingSql(`'${placeJson(place)}'::jsonb`).replaceAll('?', '\\?')

  const found = await inStore(store.id, (tx) => findZonesContaining(tx, place))
  const { rows: plan } = await inStore(store.id, ({ knex }) =>
    knex.raw(`explain (analyze, format json) ${query}`),
  )

  assert.deepEqual(found, [{ id: wanted, specificity: 3 }])
  assert.doesNotMatch(JSON.stringify(plan), /"Rows Removed by Filter":\d{3}/)
})
