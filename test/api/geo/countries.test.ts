import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'

interface Country {
  id: string
  name: string
  is_active: boolean
}

/** A store's administrator, who may do all of this. */
async function office() {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'administrator' })
  return { store, token }
}

const soldCodes = async (store: { key: string }): Promise<string[]> =>
  (await request('GET /settings/countries', { store })).data.map(({ code }: { code: string }) => code)

test('GET /admin/geo/countries lists all countries, and a new store sells to all', async () => {
  const { token } = await office()

  const { data }: { data: Country[] } = await request('GET /admin/geo/countries', { token })

  assert.ok(data.length >= 249)
  assert.ok(data.every(({ is_active }) => is_active))
  assert.ok(data.some(({ id, name }) => id === 'XK' && name === 'Kosovo'))
  assert.deepEqual(
    data.find(({ id }) => id === 'DE'),
    { id: 'DE', alpha_3: 'DEU', name: 'Germany', is_active: true },
  )
})

test('countries are named and sorted in the language of the request', async () => {
  const { store } = await office()
  const headers = { 'Accept-Language': 'de' }

  const { data } = await request('GET /settings/countries', { store, headers })

  const names = data.map(({ name }: { name: string }) => name)
  assert.ok(names.includes('Österreich'))
  assert.deepEqual(names, [...names].sort(new Intl.Collator('de').compare))
})

test('PATCH /admin/geo/countries/{id} closes a country for sales and reopens it', async () => {
  const { store, token } = await office()

  const closed = await request('PATCH /admin/geo/countries/CH', { token, body: { is_active: false } })
  const again = await request('PATCH /admin/geo/countries/CH', { token, body: { is_active: false } })

  assert.deepEqual(
    { id: closed.data.id, is_active: closed.data.is_active, status: again.status },
    { id: 'CH', is_active: false, status: 200 },
  )
  assert.equal((await soldCodes(store)).includes('CH'), false)
  assert.equal((await soldCodes((await office()).store)).includes('CH'), true, 'another store still does')
  await request('PATCH /admin/geo/countries/CH', { token, body: { is_active: true } })
  assert.equal((await soldCodes(store)).includes('CH'), true)
})

test('PUT /admin/geo/countries replaces the countries that the store sells to', async () => {
  const { store, token } = await office()

  await request('PUT /admin/geo/countries', { token, body: { countries: ['FR', 'FR'] } })
  const { status, data } = await request('PUT /admin/geo/countries', {
    token,
    body: { countries: ['AT', 'DE'] },
  })

  assert.equal(status, 200)
  assert.deepEqual(
    data.filter(({ is_active }: Country) => is_active).map(({ id }: Country) => id),
    ['AT', 'DE'],
  )
  assert.deepEqual(await soldCodes(store), ['AT', 'DE'])
  const faulty = await request('PUT /admin/geo/countries', { token, body: { countries: ['AT', 'ZZ'] } })
  assert.deepEqual(
    { status: faulty.status, loc: faulty.detail[0].loc },
    { status: 422, loc: ['body', 'countries', 1, 'country'] },
  )
})

test('an unknown country returns 404', async () => {
  const { token } = await office()

  for (const code of ['ZZ', 'de', 'Germany']) {
    assert.equal((await request(`GET /admin/geo/countries/${code}`, { token })).status, 404)
    const body = { is_active: true }
    assert.equal((await request(`PATCH /admin/geo/countries/${code}`, { token, body })).status, 404)
  }
  const empty = await request('PATCH /admin/geo/countries/DE', { token, body: {} })
  assert.deepEqual(empty.detail[0].loc, ['body', 'is_active'])
})

test('GET /admin/geo/zones lists the subdivisions of a country', async () => {
  const { token } = await office()

  const germany = await request('GET /admin/geo/zones?country=DE', { token })
  const france = await request('GET /admin/geo/zones?country=FR', { token })

  assert.equal(germany.data.length, 16)
  assert.deepEqual(germany.data[0], { code: 'DE-BB', name: 'Brandenburg', parent: '' })
  const paris = france.data.find(({ code }: { code: string }) => code === 'FR-75C')
  assert.deepEqual(paris, { code: 'FR-75C', name: 'Paris', parent: 'FR-IDF' })
  for (const query of ['', '?country=ZZ', '?country=Germany']) {
    const { status, detail } = await request(`GET /admin/geo/zones${query}`, { token })
    assert.deepEqual({ status, loc: detail[0].loc }, { status: 422, loc: ['query', 'country'] }, query)
  }
})

test('GET /settings/countries?country= returns the zones of that country', async () => {
  const { store, token } = await office()
  await request('PATCH /admin/geo/countries/CH', { token, body: { is_active: false } })

  const germany = await request('GET /settings/countries?country=DE', { store })
  const all = await request('GET /settings/countries', { store })

  assert.deepEqual(
    { dataCount: germany.data.length, code: germany.data[0].code, zonesCount: germany.data[0].zones.length },
    { dataCount: 1, code: 'DE', zonesCount: 16 },
  )
  assert.ok(all.data.every((country: object) => !('zones' in country)))
  assert.deepEqual((await request('GET /settings/countries?country=CH', { store })).data, [])
  assert.deepEqual((await request('GET /settings/countries?country=ZZ', { store })).data, [])
})

test('a store language without display names falls back to English names', async () => {
  const store = await buildStore({ languages: ['en-a1'] })

  const { status, data } = await request('GET /settings/countries?country=DE', { store })

  assert.deepEqual({ status, name: data[0].name }, { status: 200, name: 'Germany' })
})
