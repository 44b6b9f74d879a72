import assert from 'node:assert/strict'
import { test } from 'node:test'
import { repriceDueProducts } from '#shared/catalog/prices/reprice-products.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildLargeProducts } from '#test/support/builders/large-products.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { freezeClock } from '#test/support/clock.ts'
import { superuser } from '#test/support/database.ts'
import { discardJobs, drainJobs } from '#test/support/processes/jobs.ts'

const OPENS = new Date('2028-03-01T08:00:00.000Z')
const BEFORE = new Date(OPENS.getTime() - 1)
const COUNT = 1_100

/** Puts the variants of all products on sale from `OPENS` and enqueues the job of that time. */
const putOnSale = (store: BuiltStore) =>
  inStore(store.id, async (tx) => {
    const sale = { sale_price_minor: 300n, sale_starts_at: OPENS }
    await tx.knex('product_variants').where({ store_id: store.id }).update(sale)
    await tx.knex('products').where({ store_id: store.id }).update({ price_changes_at: OPENS })
    await repriceDueProducts(tx, BEFORE)
  })

const pricesOf = async (store: BuiltStore) => {
  const sql = `select count(*)::integer as products, count(distinct xmin::text)::integer as transactions,
      min(current_price_minor)::integer as lowest, max(current_price_minor)::integer as highest
    from products where store_id = $1`
  return (await superuser.query(sql, [store.id])).rows[0]
}

test('a sale of 1,100 products starts in three transactions of one job', async () => {
  await discardJobs()
  const store = await buildStore()
  freezeClock(BEFORE)
  await buildLargeProducts(store, { count: COUNT })
  await putOnSale(store)

  freezeClock(OPENS)
  const jobs = (await drainJobs()).filter(({ queue }) => queue === 'reprice-products')

  assert.deepEqual(
    jobs.map(({ error }) => error),
    [null],
  )
  assert.deepEqual(await pricesOf(store), { products: COUNT, transactions: 3, lowest: 300, highest: 300 })
})
