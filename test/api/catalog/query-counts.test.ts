import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import pg from 'pg'
import { request } from '#test/support/app.ts'
import { buildStore } from '#test/support/build.ts'
import { buildStaff } from '#test/support/build-accounts.ts'
import { buildCategory, buildProduct } from '#test/support/build-catalog.ts'

/** Counts what is sent to PostgreSQL while `work` runs: statements of a driver query, or of a pipeline, as one. */
async function countQueries(work: () => Promise<unknown>): Promise<number> {
  const send = pg.Client.prototype.query
  let sent = 0
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    sent += 1
    return (send as (...given: unknown[]) => unknown).apply(this, given)
  } as typeof send
  try {
    await work()
  } finally {
    pg.Client.prototype.query = send
  }
  return sent
}

const variants = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ optionValues: { Size: `${i}` } }))
const sizes = (count: number) => [{ name: 'Size', values: variants(count).map((_, i) => `${i}`) }]

test('a list asks as often for twenty products with many variants as for one', async () => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'catalog' })
  const category = await buildCategory(store)
  const build = () =>
    buildProduct(store, { categoryIds: [category.id], options: sizes(5), variants: variants(5) })
  await build()
  const admin = () => countQueries(() => request('GET /admin/products', { token }))
  const shop = () => countQueries(() => request('GET /products', { store }))

  const one = [await admin(), await shop()]
  for (let i = 0; i < 19; i++) await build()
  const twenty = [await admin(), await shop()]

  assert.deepEqual(twenty, one)
  assert.equal(one[1], 3, 'the store, the page and the count')
})

test('a product with a hundred variants is created by as many queries as one with two', async () => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'catalog' })
  const create = (count: number) =>
    countQueries(async () => {
      const body = {
        name_i18n: { en: 'Shirt' },
        slug: `shirt-${count}`,
        price: 10,
        options: sizes(count),
        variants: variants(count).map(({ optionValues }, i) => ({
          sku: `S-${count}-${i}`,
          option_values: optionValues,
          stock_on_hand: 1,
        })),
      }
      assert.equal((await request('POST /admin/products', { token, body })).status, 201)
    })
  await create(1)

  assert.equal(await create(100), await create(2))
})
