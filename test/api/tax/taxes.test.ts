import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { TaxClass } from '#shared/tax/tax-class.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildGeoZone, buildTaxClass, buildTaxRate } from '#test/support/builders/taxes.ts'
import { request } from '#test/support/processes/app.ts'
import { barrier } from '#test/support/races/barrier.ts'

/** A store's administrator, who may do all of this. */
async function office() {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'administrator' })
  return { store, token }
}

test('POST /admin/tax/classes creates a class, which the list and the read return', async () => {
  const { token } = await office()
  const body = { name: 'Reduced', description: 'Books and bread' }

  const { status, data } = await request('POST /admin/tax/classes', { token, body })

  assert.equal(status, 201)
  assert.deepEqual({ ...data, ...body, is_default: false }, data)
  assert.deepEqual((await request(`GET /admin/tax/classes/${data.id}`, { token })).data, data)
  assert.deepEqual((await request('GET /admin/tax/classes', { token })).data, [data])
})

test('a new default class replaces the former default', async () => {
  const { token } = await office()
  const body = { name: 'Standard', is_default: true }
  const first = await request('POST /admin/tax/classes', { token, body })
  const second = await request('POST /admin/tax/classes', { token, body })
  const third = await request('POST /admin/tax/classes', { token, body: { name: 'Third' } })
  const isDefault = async ({ data }: typeof first) =>
    (await request(`GET /admin/tax/classes/${data.id}`, { token })).data.is_default

  assert.equal(await isDefault(first), false)
  assert.equal(await isDefault(second), true)
  await request(`PATCH /admin/tax/classes/${third.data.id}`, { token, body: { is_default: true } })
  assert.deepEqual(await Promise.all([first, second, third].map(isDefault)), [false, false, true])
  await request(`PATCH /admin/tax/classes/${third.data.id}`, { token, body: { is_default: false } })
  assert.deepEqual(await Promise.all([first, second, third].map(isDefault)), [false, false, false])
})

test('one of several concurrent new defaults remains; control: without the lock, some writes fail', async () => {
  const { store, token } = await office()
  const ids = await Promise.all([1, 2, 3, 4].map(async () => (await buildTaxClass(store)).id))

  const answers = await Promise.all([
    ...ids.map((id) => request(`PATCH /admin/tax/classes/${id}`, { token, body: { is_default: true } })),
    request('POST /admin/tax/classes', { token, body: { name: 'New', is_default: true } }),
  ])

  assert.ok(answers.every(({ status }) => status < 300))
  const { data } = await request('GET /admin/tax/classes', { token })
  assert.equal(data.filter(({ is_default }: { is_default: boolean }) => is_default).length, 1)

  await inStore(store.id, (tx) => TaxClass.in(tx).where('is_default', true).patch({ isDefault: false }))
  const meet = barrier(ids.length)
  const naive = ids.map((id) =>
    inStore(store.id, async (tx) => {
      await TaxClass.in(tx).where('is_default', true).patch({ isDefault: false })
      await meet()
      await TaxClass.in(tx).findById(id).patch({ isDefault: true })
    }),
  )
  const settled = await Promise.allSettled(naive)
  const failed = settled.filter(({ status }) => status === 'rejected')
  assert.ok(failed.length > 0, 'control: without a queue they get in each other’s way')
})

test('PATCH /admin/tax/classes/{id} keeps omitted fields and checks If-Match', async () => {
  const { token } = await office()
  const made = await request('POST /admin/tax/classes', { token, body: { name: 'Reduced' } })
  const path = `/admin/tax/classes/${made.data.id}`
  const headers = { 'If-Match': made.headers.get('etag') ?? '' }

  const changed = await request(`PATCH ${path}`, { token, body: { description: 'Books' }, headers })
  const late = await request(`PATCH ${path}`, { token, body: { name: 'Late' }, headers })

  assert.partialDeepStrictEqual(changed.data, { name: 'Reduced', description: 'Books' })
  assert.equal(late.error_code, 'resource.changed')
  for (const body of [{}, { name: '' }, { is_default: 'yes' }, { rate: 1 }])
    assert.equal((await request(`PATCH ${path}`, { token, body })).error_code, 'validation.failed')
})

test('DELETE /admin/tax/classes/{id} of a class in use by a rate or product returns 409', async () => {
  const { store, token } = await office()
  const [free, rated, worn] = [
    await buildTaxClass(store),
    await buildTaxClass(store),
    await buildTaxClass(store),
  ]
  await buildTaxRate(store, { percent: 7, taxClassId: rated.id })
  await buildProduct(store, { taxClassId: worn.id })
  const remove = ({ id }: { id: string }) => request(`DELETE /admin/tax/classes/${id}`, { token })

  assert.deepEqual((await remove(free)).status, 200)
  for (const used of [rated, worn])
    assert.deepEqual(
      { status: (await remove(used)).status, error_code: (await remove(used)).error_code },
      { status: 409, error_code: 'tax_class.in_use' },
    )
  assert.equal((await remove(free)).status, 404)
})

test('POST /admin/tax/rates creates a rate, which the lists and the read return', async () => {
  const { store, token } = await office()
  const [zone, taxClass] = [await buildGeoZone(store), await buildTaxClass(store)]
  await buildTaxRate(store, { percent: 1 })
  const body = {
    name: 'VAT',
    percent: 19.1234,
    tax_class_id: taxClass.id,
    geo_zone_id: zone.id,
    priority: 2,
    is_compound: true,
  }

  const { status, data } = await request('POST /admin/tax/rates', { token, body })

  assert.equal(status, 201)
  assert.deepEqual({ ...data, ...body }, data)
  assert.deepEqual((await request(`GET /admin/tax/rates/${data.id}`, { token })).data, data)
  assert.equal((await request('GET /admin/tax/rates', { token })).meta.total, 2)
  for (const filter of [`tax_class_id=${taxClass.id}`, `geo_zone_id=${zone.id}`])
    assert.deepEqual((await request(`GET /admin/tax/rates?${filter}`, { token })).data, [data])
})

test('a rate has priority 1 and no geo zone by default', async () => {
  const { store, token } = await office()
  const { id } = await buildTaxClass(store)

  const { data } = await request('POST /admin/tax/rates', {
    token,
    body: { name: 'VAT', percent: 0, tax_class_id: id },
  })

  assert.partialDeepStrictEqual(data, { percent: 0, priority: 1, is_compound: false, geo_zone_id: null })
})

test('PATCH /admin/tax/rates/{id} keeps omitted fields and checks If-Match', async () => {
  const { store, token } = await office()
  const { id } = await buildTaxRate(store, { percent: 19, members: [{ country: 'DE' }] })
  const path = `/admin/tax/rates/${id}`
  const before = await request(`GET ${path}`, { token })
  const headers = { 'If-Match': before.headers.get('etag') ?? '' }

  const changed = await request(`PATCH ${path}`, { token, body: { percent: 16 }, headers })
  const late = await request(`PATCH ${path}`, { token, body: { percent: 19 }, headers })
  const everywhere = await request(`PATCH ${path}`, { token, body: { geo_zone_id: null } })

  assert.deepEqual({ ...before.data, percent: 16, updated_at: changed.data.updated_at }, changed.data)
  assert.equal(late.error_code, 'resource.changed')
  assert.partialDeepStrictEqual(everywhere.data, { geo_zone_id: null, percent: 16 })
})

test('an invalid rate returns 422 with the location of the field', async () => {
  const { store, token } = await office()
  const { id, taxClassId } = await buildTaxRate(store, { percent: 19 })
  const good = { name: 'VAT', percent: 19, tax_class_id: taxClassId }

  for (const [field, value] of [
    ['percent', -1],
    ['percent', 1_000.1],
    ['percent', 19.12345],
    ['percent', '19'],
    ['name', ''],
    ['priority', -1],
    ['priority', 1.5],
    ['priority', 1_001],
    ['is_compound', 1],
    ['tax_class_id', newId()],
    ['tax_class_id', 'standard'],
    ['geo_zone_id', newId()],
    ['amount', 1],
  ] as const)
    for (const line of ['POST /admin/tax/rates', `PATCH /admin/tax/rates/${id}`]) {
      const answer = await request(line, { token, body: { ...good, [field]: value } })
      assert.deepEqual(
        { status: answer.status, loc: answer.detail?.[0].loc },
        { status: 422, loc: ['body', field] },
        `${line} ${field}`,
      )
    }
})

test("another store's tax class or geo zone returns 422, another store's rate 404", async () => {
  const [{ store, token }, theirs] = [await office(), await office()]
  const mine = await buildTaxRate(store, { percent: 19 })
  const other = await buildTaxRate(theirs.store, { percent: 7, members: [{ country: 'DE' }] })
  const rate = { name: 'VAT', percent: 19, tax_class_id: mine.taxClassId }

  for (const [field, value] of [
    ['tax_class_id', other.taxClassId],
    ['geo_zone_id', other.geoZoneId],
  ] as const) {
    const made = await request('POST /admin/tax/rates', { token, body: { ...rate, [field]: value } })
    assert.deepEqual({ status: made.status, loc: made.detail[0].loc }, { status: 422, loc: ['body', field] })
    const product = await request('POST /admin/products', {
      token,
      body: { name_i18n: { en: 'Stool' }, price: 1, tax_class_id: other.taxClassId },
    })
    assert.deepEqual(
      { status: product.status, loc: product.detail[0].loc },
      { status: 422, loc: ['body', 'tax_class_id'] },
    )
  }
  for (const method of ['GET', 'DELETE'])
    assert.equal((await request(`${method} /admin/tax/rates/${other.id}`, { token })).status, 404)
  const body = { percent: 1 }
  assert.equal((await request(`PATCH /admin/tax/rates/${other.id}`, { token, body })).status, 404)
})

test('PATCH /admin/products/{id} keeps an omitted tax class and removes it with null', async () => {
  const { store, token } = await office()
  const { id } = await buildTaxClass(store)
  const made = await request('POST /admin/products', {
    token,
    body: { name_i18n: { en: 'Stool' }, price: 10, tax_class_id: id },
  })
  const path = `/admin/products/${made.data.id}`

  assert.equal(made.data.tax_class_id, id)
  assert.equal((await request(`GET ${path}`, { token })).data.tax_class_id, id)
  assert.equal((await request(`PATCH ${path}`, { token, body: { price: 11 } })).data.tax_class_id, id)
  const off = await request(`PATCH ${path}`, { token, body: { tax_class_id: null } })
  assert.equal(off.data.tax_class_id, null)
})

test('DELETE /admin/tax/rates/{id} deletes the rate; its geo zone can be deleted then', async () => {
  const { store, token } = await office()
  const { id, geoZoneId } = await buildTaxRate(store, { percent: 19, members: [{ country: 'DE' }] })
  const removeZone = () => request(`DELETE /admin/geo/geo-zones/${geoZoneId}`, { token })

  assert.equal((await removeZone()).error_code, 'geo_zone.in_use')
  assert.equal((await request(`DELETE /admin/tax/rates/${id}`, { token })).status, 200)
  assert.equal((await removeZone()).status, 200)
  assert.equal((await request(`DELETE /admin/tax/rates/${id}`, { token })).status, 404)
})

test('a tax class has rates of at most ten priorities, however they are given', async () => {
  const { store, token } = await office()
  const { id: tax_class_id } = await buildTaxClass(store)
  const other = await buildTaxRate(store, { percent: 1, priority: 10 })
  const add = (priority: number) =>
    request('POST /admin/tax/rates', { token, body: { name: 'Tax', percent: 1, tax_class_id, priority } })
  const change = (body: object) => request(`PATCH /admin/tax/rates/${other.id}`, { token, body })
  for (let priority = 0; priority < 10; priority++) assert.equal((await add(priority)).status, 201)

  const eleventh = await add(10)
  const moved = await change({ tax_class_id })

  assert.deepEqual({ eleventh: eleventh.status, moved: moved.status }, { eleventh: 422, moved: 422 })
  assert.equal((await add(9)).status, 201)
  assert.equal((await change({ tax_class_id, priority: 9 })).status, 200)
})

test('a store has at most 200 tax classes', async () => {
  const { store, token } = await office()
  const { id } = await buildTaxClass(store)
  await inStore(store.id, (tx) =>
    tx.knex.raw(
      `insert into tax_classes select (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid()))).*
       from tax_classes c, generate_series(1, 199) where c.id = ?`,
      [id],
    ),
  )

  const { status, error_code } = await request('POST /admin/tax/classes', { token, body: { name: 'More' } })

  assert.deepEqual({ status, error_code }, { status: 409, error_code: 'tax_class.limit_reached' })
})

test('a store has at most 5000 tax rates', async () => {
  const { store, token } = await office()
  const { id, taxClassId } = await buildTaxRate(store, { percent: 7 })
  await inStore(store.id, (tx) =>
    tx.knex.raw(
      `insert into tax_rates select (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid()))).*
       from tax_rates r, generate_series(1, 4999) where r.id = ?`,
      [id],
    ),
  )
  const body = { name: 'More', percent: 19, tax_class_id: taxClassId }

  const { status, error_code } = await request('POST /admin/tax/rates', { token, body })

  assert.deepEqual({ status, error_code }, { status: 409, error_code: 'tax_rate.limit_reached' })
})
