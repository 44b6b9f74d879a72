import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildPlan } from '#test/support/builders/plans.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildTaxClass, buildTaxRate } from '#test/support/builders/taxes.ts'
import { request } from '#test/support/processes/app.ts'

const BIWEEKLY = { priceMinor: 100n, duration: 2, durationUnit: 'week', cycle: 3 } as const

async function scene(given: Parameters<typeof buildStore>[0] = {}) {
  const store = await buildStore(given)
  const { token } = await buildStaff(store, { role: 'owner' })
  const coffee = await buildProduct(store, { slug: 'coffee' })
  const read = (query = '', headers = {}) => request(`GET /products/coffee${query}`, { store, headers })
  const plans = async (query = '', headers = {}) => (await read(query, headers)).data.recurring_plans
  return { store, token, coffee, read, plans }
}

test('a product shows its active plans in their order', async () => {
  const { store, coffee, plans } = await scene()
  const productIds = [coffee.id]
  const last = await buildPlan(store, { sortOrder: 2, priceMinor: null, productIds })
  const first = await buildPlan(store, { sortOrder: 1, trial: BIWEEKLY, cycle: 12, productIds })
  await buildPlan(store, { isActive: false, productIds })
  await buildPlan(store)

  const terms = { duration: 1, duration_unit: 'month' }
  assert.deepEqual(await plans(), [
    {
      id: first.id,
      name: first.name,
      price: 8,
      price_net: 8,
      ...terms,
      cycle: 12,
      trial: { price: 1, price_net: 1, duration: 2, duration_unit: 'week', cycle: 3, max_quantity: 1 },
    },
    { id: last.id, name: last.name, price: null, price_net: null, ...terms, cycle: 0, trial: null },
  ])
})

test('the name of a plan is in the language of the request', async () => {
  const { store, coffee, plans } = await scene()
  await buildPlan(store, { nameI18n: { en: 'Monthly', de: 'Monatlich' }, productIds: [coffee.id] })
  const nameIn = async (language: string) =>
    (await plans('', { 'Accept-Language': language })).map(({ name }: { name: string }) => name)

  assert.deepEqual(await nameIn('de'), ['Monatlich'])
  assert.deepEqual(await nameIn('fr'), ['Monthly'])
})

test('a cached product shows each change of its plans immediately', async () => {
  const { token, coffee, read, plans } = await scene()
  const ids = async () => (await plans()).map(({ id }: { id: string }) => id)
  const headersOf = async () => ({
    'If-None-Match': (await read()).headers.get('etag') ?? '',
    'Cache-Control': 'max-age=0',
  })
  const before = await headersOf()
  assert.equal((await read('', before)).status, 304)

  const body = { name_i18n: { en: 'Monthly' }, duration: 1, duration_unit: 'month', product_ids: [coffee.id] }
  const { data: plan } = await request('POST /admin/recurring-plans', { token, body })
  const change = (fields: object) =>
    request(`PATCH /admin/recurring-plans/${plan.id}`, { token, body: fields })

  assert.equal((await read('', before)).status, 200)
  assert.deepEqual(await ids(), [plan.id])
  await change({ price: 7 })
  assert.equal((await plans())[0].price, 7)
  await change({ is_active: false })
  assert.deepEqual(await ids(), [])
  await change({ is_active: true })
  assert.deepEqual(await ids(), [plan.id])
  await change({ product_ids: [] })
  assert.deepEqual(await ids(), [])
  await change({ product_ids: [coffee.id] })
  assert.deepEqual(await ids(), [plan.id])
  await request(`DELETE /admin/recurring-plans/${plan.id}`, { token })
  assert.deepEqual(await ids(), [])
})

test('gross plan prices follow the place as the price of the product does', async () => {
  const { store, token, coffee, plans } = await scene({ country: 'DE', pricesIncludeTax: true })
  const { id: taxClassId } = await buildTaxClass(store, { isDefault: true })
  await buildTaxRate(store, { percent: 19, taxClassId, members: [{ country: 'DE' }] })
  await buildTaxRate(store, { percent: 20, taxClassId, members: [{ country: 'AT' }] })
  const productIds = [coffee.id]
  await buildPlan(store, { priceMinor: 1_190n, trial: { ...BIWEEKLY, priceMinor: 119n }, productIds })
  const pricesIn = async (country: string) => {
    const [{ price, price_net, trial }] = await plans(`?country=${country}`)
    return { price, price_net, trial: [trial.price, trial.price_net] }
  }

  assert.deepEqual(await pricesIn('DE'), { price: 11.9, price_net: 10, trial: [1.19, 1] })
  assert.deepEqual(await pricesIn('AT'), { price: 11.9, price_net: 9.92, trial: [1.19, 0.99] })
  await request('PATCH /admin/settings', { token, body: { cross_border_prices: 'keep_net' } })
  assert.deepEqual(await pricesIn('AT'), { price: 12, price_net: 10, trial: [1.2, 1] })
})
