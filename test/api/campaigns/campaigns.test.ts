import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildCampaign } from '#test/support/builders/campaigns.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { countQueries } from '#test/support/measure/count-queries.ts'
import { request } from '#test/support/processes/app.ts'

async function scene() {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'marketing' })
  const create = (body: object) =>
    request('POST /admin/campaigns', { token, body: { name: 'Autumn', code: 'Autumn26', ...body } })
  const change = (id: string, body: object, headers = {}) =>
    request(`PATCH /admin/campaigns/${id}`, { token, body, headers })
  const read = (id: string) => request(`GET /admin/campaigns/${id}`, { token })
  const list = (query = '') => request(`GET /admin/campaigns${query}`, { token })
  return { store, token, create, change, read, list }
}

test('POST /admin/campaigns creates a campaign from a name and a code', async () => {
  const { create, read } = await scene()

  const made = await create({})

  assert.equal(made.status, 201)
  const { id, created_at, updated_at, ...rest } = made.data
  assert.equal(created_at, updated_at)
  assert.deepEqual(rest, {
    name: 'Autumn',
    code: 'Autumn26',
    description: '',
    landing_url: '',
    is_active: true,
    starts_at: null,
    ends_at: null,
    visits: 0,
    orders: 0,
    revenue: 0,
  })
  const again = await read(id)
  assert.deepEqual(again.data, made.data)
  assert.equal(again.headers.get('etag'), made.headers.get('etag'))
})

test('PATCH /admin/campaigns/{id} changes all fields; an empty value clears a field', async () => {
  const { create, change } = await scene()
  const { data } = await create({})
  const fields = {
    name: 'Winter',
    code: 'WINTER-ß',
    description: 'For the mailing of December',
    landing_url: 'https://shop.example/winter',
    is_active: false,
    starts_at: '2026-12-01T00:00:00.000Z',
    ends_at: '2026-12-31T00:00:00.000Z',
  }

  const changed = await change(data.id, fields)
  const cleared = await change(data.id, {
    description: '',
    landing_url: null,
    starts_at: null,
    ends_at: null,
  })

  assert.partialDeepStrictEqual(changed.data, fields)
  assert.partialDeepStrictEqual(cleared.data, {
    name: 'Winter',
    description: '',
    landing_url: '',
    starts_at: null,
    ends_at: null,
  })
})

const PERIOD = { starts_at: '2026-12-01T00:00:00.000Z', ends_at: '2026-12-01T00:00:00.000Z' }

const UNFIT: [why: string, body: object, loc: string[]][] = [
  ['no name', { name: ' ' }, ['body', 'name']],
  ['a code with a blank', { code: 'TEN OFF' }, ['body', 'code']],
  ['a code of 65 characters', { code: 'X'.repeat(65) }, ['body', 'code']],
  ['a landing page of another scheme', { landing_url: 'javascript:alert(1)' }, ['body', 'landing_url']],
  ['an end at its start', PERIOD, ['body', 'ends_at']],
  ['the read-only field visits', { visits: 5 }, ['body', 'visits']],
]

test('POST /admin/campaigns with an invalid body returns 422 with its location', async () => {
  const { create } = await scene()

  for (const [why, body, loc] of UNFIT) {
    const { status, detail } = await create(body)
    assert.equal(status, 422, why)
    assert.deepEqual(detail[0].loc, loc, why)
  }
})

test('a taken code returns 409 in any letter case, until its campaign releases it, and other stores may use it', async () => {
  const { create, change, token } = await scene()
  const other = await scene()
  const { data: first } = await create({ code: 'Straße' })
  const { data: second } = await create({ code: 'other' })

  const again = await create({ code: 'STRASSE' })
  const moved = await change(second.id, { code: 'strasse' })
  assert.deepEqual(
    [again, moved].map(({ status, error_code }) => `${status} ${error_code}`),
    ['409 campaign.code_taken', '409 campaign.code_taken'],
  )
  assert.equal((await other.create({ code: 'Straße' })).status, 201)

  await change(first.id, { code: 'street' })
  assert.equal((await change(second.id, { code: 'strasse' })).status, 200)
  await request(`DELETE /admin/campaigns/${second.id}`, { token })
  assert.equal((await create({ code: 'STRASSE' })).status, 201)
})

test('50 parallel campaigns with one code: one is created', async () => {
  const { create, list } = await scene()

  const made = await Promise.all(Array.from({ length: 50 }, () => create({ code: 'race' })))

  assert.deepEqual(made.map(({ status }) => status).toSorted(), [
    201,
    ...Array.from({ length: 49 }, () => 409),
  ])
  assert.equal((await list()).meta.total, 1)
})

test('DELETE /admin/campaigns/{id} removes the campaign from the list', async () => {
  const { create, change, read, list, token } = await scene()
  const { data } = await create({})

  const deleted = await request(`DELETE /admin/campaigns/${data.id}`, { token })

  assert.deepEqual({ status: deleted.status, data: deleted.data }, { status: 200, data: null })
  assert.equal((await read(data.id)).status, 404)
  assert.equal((await change(data.id, { name: 'Spring' })).status, 404)
  assert.equal((await request(`DELETE /admin/campaigns/${data.id}`, { token })).status, 404)
  assert.equal((await list()).meta.total, 0)
})

test('an earlier If-Match returns 412 and changes nothing', async () => {
  const { create, change, read } = await scene()
  const made = await create({})
  const etag = made.headers.get('etag') ?? ''
  await change(made.data.id, { name: 'Winter' }, { 'If-Match': etag })

  const stale = await change(made.data.id, { name: 'Spring' }, { 'If-Match': etag })

  assert.deepEqual(
    { status: stale.status, code: stale.error_code },
    { status: 412, code: 'resource.changed' },
  )
  assert.equal((await read(made.data.id)).data.name, 'Winter')
})

test('GET /admin/campaigns searches, filters and sorts; no page needs more queries', async () => {
  const { store, list } = await scene()
  await buildCampaign(store, { name: 'Mailing of May', code: 'MAY' })
  const one = await countQueries(() => list())
  await buildCampaign(store, { name: 'Poster', code: 'WALL', isActive: false })
  await buildCampaign(store, { name: 'Radio', code: 'may-fm' })

  assert.equal(await countQueries(() => list()), one)
  const codes = async (query: string) => (await list(query)).data.map(({ code }: { code: string }) => code)
  assert.deepEqual(await codes('?q=may&sort=code'), ['MAY', 'may-fm'])
  assert.deepEqual(await codes('?is_active=false'), ['WALL'])
  assert.deepEqual(await codes('?sort=-name'), ['may-fm', 'WALL', 'MAY'])
})
