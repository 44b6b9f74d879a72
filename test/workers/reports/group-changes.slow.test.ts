import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { createCustomerGroup } from '#shared/customers/groups/create-customer-group.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { deleteOutdatedAndFindDays } from '#shared/reports/facts/save-facts.ts'
import { buildCustomer } from '#test/support/builders/accounts.ts'
import { copyRows } from '#test/support/builders/copy-rows.ts'
import { buildOrder } from '#test/support/builders/orders.ts'
import { buildStore } from '#test/support/builders/store.ts'

const ZONES = ['Europe/Berlin', 'Asia/Kathmandu', 'Pacific/Auckland', 'Pacific/Honolulu', 'Atlantic/Azores']

for (const zone of ZONES)
  test(`a move to a group makes one row, and all days of the orders change: ${zone}`, async () => {
    const store = await buildStore({ timeZone: zone })
    const customer = await buildCustomer(store)
    const order = await buildOrder(store, { customerId: customer.id })

    await inStore(store.id, async (tx) => {
      // Some 14 days of different lengths, with some gaps.
      await copyRows(tx.knex, {
        table: 'orders',
        of: { id: order.id },
        from: 'generate_series(1, 500) n',
        changes: `'number', 'copy-' || n, 'status', 'complete', 'created_at', timestamptz '2026-03-01 00:00Z',
          'paid_at', timestamptz '2026-03-22 10:11:12Z' + n * n % 20000 * interval '1 minute'`,
      })
      const days = await daysOfOrders(tx, zone)
      await storeAllDays(tx, zone)
      assert.deepEqual(await openDays(tx, zone), [])

      const { id } = await createCustomerGroup(tx, { nameI18n: { en: 'Resellers' } })
      await tx.knex('customers').where('id', customer.id).update({ customer_group_id: id })

      assert.equal(await countChanges(tx), 1)
      assert.deepEqual(await openDays(tx, zone), days)
      assert.deepEqual((await deleteOutdatedAndFindDays(tx)).toSorted(), days)
      assert.equal(await countChanges(tx), days.length)
      assert.deepEqual(await openDays(tx, zone), days)
    })
  })

/** Marks the facts of all days as stored, without changes. */
async function storeAllDays({ knex, storeId }: StoreTx, zone: string): Promise<void> {
  await knex('report_changes').where('store_id', storeId).delete()
  await knex.raw(
    `insert into report_days (store_id, day, time_zone)
     select ?, day, ? from generate_series(date '2026-03-01', now() + interval '1 day', '1 day') day`,
    [storeId, zone],
  )
}

const daysOfOrders = (tx: StoreTx, zone: string): Promise<string[]> =>
  daysOf(
    tx,
    `select distinct (paid_at at time zone :zone)::date as day from orders where paid_at is not null order by 1`,
    zone,
  )

const openDays = (tx: StoreTx, zone: string): Promise<string[]> =>
  daysOf(tx, `select day from report_open_days('2026-03-01', now()::date, :zone) order by 1`, zone)

async function daysOf({ knex }: StoreTx, sql: string, zone: string): Promise<string[]> {
  const { rows } = await knex.raw<{ rows: { day: string }[] }>(sql, { zone })
  return rows.map(({ day }) => day)
}

const countChanges = ({ knex, storeId }: StoreTx): Promise<number> =>
  knex('report_changes')
    .where('store_id', storeId)
    .then(({ length }) => length)
