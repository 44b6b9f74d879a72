import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anonymizeCustomer } from '#shared/customer-records/anonymize-customer.ts'
import { OWN_BUSINESS } from '#shared/customer-records/find-open-business.ts'
import { sendMail } from '#shared/mail/jobs.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { publishEvents } from '#shared/platform/events/events.ts'
import { buildCustomer } from '#test/support/builders/accounts.ts'
import { buildOrder } from '#test/support/builders/orders.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { superuser } from '#test/support/database.ts'
import '#test/support/processes/gateway.ts'

/** Anonymizes a customer with `orders` completed orders. Returns how many advisory locks that took. */
async function locksTaken(orders: number): Promise<number> {
  const store = await buildStore()
  const customer = await buildCustomer(store)
  for (let order = 0; order < orders; order++) await buildOrder(store)
  await superuser.query(
    `update orders set status = 'complete', amount_captured_minor = total_minor, customer_id = $1
     where store_id = $2`,
    [customer.id, store.id],
  )
  return inStore(store.id, async (tx) => {
    await anonymizeCustomer(tx, customer.id, OWN_BUSINESS)
    const { rows } = await tx.knex.raw(
      `select count(*)::int from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`,
    )
    return rows[0].count
  })
}

// PostgreSQL has room for a few thousand locks of all transactions.
test('anonymizing a customer takes no more locks for more orders', async () => {
  assert.equal(await locksTaken(6), await locksTaken(1))
})

// Reading the jobs of all queues and stores takes a second for 800,000, during which nobody in the store changes data.
test('anonymizing a customer searches no queues without personal data', async () => {
  const store = await buildStore()
  const customer = await buildCustomer(store)
  await superuser.query(
    `insert into pgboss.job (name, group_id, data)
     values ($1, $2, jsonb_build_object('storeId', $2::text, 'recordId', $3::text))`,
    [publishEvents.queue, store.id, customer.id],
  )

  await inStore(store.id, (tx) => anonymizeCustomer(tx, customer.id, OWN_BUSINESS))

  const { rowCount } = await superuser.query(`select from pgboss.job where data->>'recordId' = $1`, [
    customer.id,
  ])
  assert.equal(rowCount, 1)
})

// A worker records the ends of mails of all stores in one statement.
test('anonymizing a customer locks a running job about the person only at the commit', async () => {
  const store = await buildStore()
  const customer = await buildCustomer(store)
  await superuser.query(
    `insert into pgboss.job (name, group_id, data, state)
     values ($1, $2, jsonb_build_object('storeId', $2::text, 'recordId', $3::text), 'active')`,
    [sendMail.queue, store.id, customer.id],
  )
  const jobs = `select from pgboss.job where data->>'recordId' = $1`

  await inStore(store.id, async (tx) => {
    await anonymizeCustomer(tx, customer.id, OWN_BUSINESS)
    const { rowCount } = await superuser.query(`${jobs} for update skip locked`, [customer.id])
    assert.equal(rowCount, 1)
  })

  const { rowCount } = await superuser.query(jobs, [customer.id])
  assert.equal(rowCount, 0)
})
