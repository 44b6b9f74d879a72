import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildPaidOrder } from '#test/support/builders/orders.ts'
import { buildStore } from '#test/support/builders/store.ts'

const REFUNDS = 100

test('a change of an order with many refunds makes few rows, which are on all days of the refunds', async () => {
  const store = await buildStore()
  const { id } = await buildPaidOrder(store)

  await inStore(store.id, async ({ knex }) => {
    const changes = knex('report_changes').where('store_id', store.id)
    await knex.raw(
      `insert into refunds (store_id, id, order_id, currency, status, origin, requested_by, restock, amount_minor,
         gateway_amount_minor, created_at, settled_at)
       select store_id, gen_random_uuid(), id, currency, 'succeeded', 'store', 'system', false, 1, 0, at, at
       from orders, generate_series(1, :refunds) n,
         lateral (select timestamptz '2026-03-22 18:00Z' + n * interval '6 minutes' as at) as times
       where id = :id`,
      { id, refunds: REFUNDS },
    )
    for (const change of [
      () => knex('orders').where({ id }).update({ status: 'complete' }),
      () =>
        knex('refunds').where('settled_at', knex('refunds').max('settled_at')).update({ status: 'failed' }),
    ]) {
      await changes.clone().delete()
      await change()

      const [counted] = await changes.clone().count({ rows: '*' })
      assert.ok(Number(counted?.rows) <= 8, `${counted?.rows} rows`)
      const { rows } = await knex.raw(
        `select settled_at::date as day from refunds where order_id = ? except select at::date from report_changes`,
        [id],
      )
      assert.deepEqual(rows, [])
    }
  })
})
