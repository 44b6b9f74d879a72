import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { createGroup } from '#shared/customers/groups/create-group.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildCustomer } from '#test/support/builders/accounts.ts'
import { copyRows } from '#test/support/builders/copy-rows.ts'
import { buildOrder } from '#test/support/builders/orders.ts'
import { buildStore } from '#test/support/builders/store.ts'

const ZONES = ['Europe/Berlin', 'Asia/Kathmandu', 'Pacific/Auckland', 'Pacific/Honolulu', 'Atlantic/Azores']

test('a customer with many orders who enters a group makes few rows, which are on all days of the orders', async () => {
  const store = await buildStore()
  const customer = await buildCustomer(store)
  const order = await buildOrder(store, { customerId: customer.id })

  await inStore(store.id, async (tx) => {
    // Some 14 days of different lengths, with some gaps.
    await copyRows(tx.knex, {
      table: 'orders',
      of: { id: order.id },
      from: 'generate_series(1, 500) n',
      changes: `'number', 'copy-' || n, 'status', 'complete',
        'paid_at', timestamptz '2026-03-22 10:11:12Z' + n * n % 20000 * interval '1 minute'`,
    })
    const changes = tx.knex('report_changes').where('store_id', store.id)
    await changes.clone().delete()
    const { id } = await createGroup(tx, { nameI18n: { en: 'Resellers' } })
    await tx.knex('customers').where('id', customer.id).update({ customer_group_id: id })

    const [counted] = await changes.clone().count({ rows: '*' })
    assert.ok(Number(counted?.rows) <= 15 * 4, `${counted?.rows} rows`)
    for (const zone of ZONES) {
      const { rows } = await tx.knex.raw(
        `select (paid_at at time zone :zone)::date as day from orders where store_id = :store and paid_at is not null
         except select (at at time zone :zone)::date from report_changes where store_id = :store`,
        { zone, store: store.id },
      )
      assert.deepEqual(rows, [], zone)
    }
  })
})
