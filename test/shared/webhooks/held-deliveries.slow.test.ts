import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Knex } from 'knex'
import { register } from 'prom-client'
import '#shared/webhooks/deliveries/gauges.ts'
import { db } from '#shared/platform/db/db.ts'
import { NIL_ID } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { emitAll } from '#shared/platform/events/events.ts'
import { countHeldDeliveries } from '#shared/webhooks/deliveries/count-held-deliveries.ts'
import { WINDOW } from '#shared/webhooks/deliveries/window.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildReceiver, buildWebhook, parcelMoved } from '#test/support/builders/webhooks.ts'
import { superuser } from '#test/support/database.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { publishEvents } from '#workers/events/publish-events.ts'

const receiver = await buildReceiver()

/** Publishes this many events to a webhook of a new store, without sending them. */
async function publishToNewStore(count: number): Promise<string> {
  const store = await buildStore()
  await buildWebhook(store, { url: receiver.hookUrl('held') })
  const parcels = Array.from({ length: count }, (_, step) => ({ step }))
  await inStore(store.id, (tx) => emitAll(tx, parcelMoved, parcels))
  await drainJobs([publishEvents])
  return store.id
}

async function figure(): Promise<number> {
  const text = await register.metrics()
  return Number(/^webhook_deliveries_held (\d+)$/m.exec(text)?.[1])
}

test('deliveries beyond the windows of webhooks are counted over all stores', async () => {
  // Other tests of the process share the database.
  const others = await countHeldDeliveries()
  await publishToNewStore(WINDOW)
  assert.equal(await countHeldDeliveries(), others)

  await publishToNewStore(WINDOW + 20)
  await publishToNewStore(WINDOW + 7)

  await superuser.query("delete from metric_figures where name = 'webhooks'")
  assert.equal(await countHeldDeliveries(), others + 27)
  assert.equal(await figure(), others + 27)
})

test('the count stops at the limit of a store', async () => {
  const [byTen, bySeven] = [await countHeldDeliveries(10), await countHeldDeliveries(7)]

  // The stores above have 20 and 7.
  assert.ok(byTen >= bySeven + 3 && bySeven >= 14, `${byTen} and ${bySeven}`)
})

/** Adds copies of a store's queued delivery: this many held ones, and as many that succeeded. */
async function copyDeliveries(storeId: string, count: number): Promise<void> {
  const client = await superuser.connect()
  // Copies have no events, so foreign keys are not checked.
  await client.query('set session_replication_role = replica')
  await client.query(
    `insert into webhook_deliveries
       (store_id, id, webhook_id, event_id, event_type, status, next_attempt_at, created_at)
     select store_id, gen_random_uuid(), webhook_id, gen_random_uuid(), event_type, copy.status,
       case when copy.status = 'pending' then next_attempt_at end, created_at
     from (select * from webhook_deliveries where store_id = $1 limit 1) one,
       unnest(array['pending', 'succeeded']) copy (status), generate_series(1, $2)`,
    [storeId, count],
  )
  await client.query('reset session_replication_role; analyze webhook_deliveries')
  client.release()
}

/** What `work` reads of a table: sequential scans, and rows by indexes. */
const countReads = (table: string, work: (knex: Knex) => PromiseLike<unknown>) =>
  db().transaction(async (knex) => {
    const sql = `select seq_scan::int as scans, idx_tup_fetch::int as fetched from pg_stat_xact_user_tables
      where relname = ?`
    const [before] = (await knex.raw(sql, [table])).rows
    await work(knex)
    const [after] = (await knex.raw(sql, [table])).rows
    return { scans: after.scans - before.scans, fetched: after.fetched - before.fetched }
  })

test('the count reads no row of a delivery that it does not count, however many there are', async () => {
  const counted = await countHeldDeliveries()
  await copyDeliveries(await publishToNewStore(1), 20_000)

  const read = await countReads('webhook_deliveries', (knex) =>
    knex.raw('select * from held_webhook_deliveries(?, 1000, 100)', [NIL_ID]),
  )

  assert.equal(read.scans, 0)
  assert.ok(read.fetched <= counted + 100, `${read.fetched} rows were read`)
})

test('the search for stores with overdue work reads no webhook, however many a store has deleted', async () => {
  const storeId = await publishToNewStore(1)
  await superuser.query(
    `insert into webhooks (store_id, id, url, events, is_active, secret_sealed, created_at, updated_at, deleted_at)
     select $1, gen_random_uuid(), 'https://shop.example', '{*}', false, '', now(), now(), now()
     from generate_series(1, 2000)`,
    [storeId],
  )

  const read = await countReads('webhooks', (knex) =>
    knex.raw(`select * from stores_with_overdue_work(?, 1000, now() - interval '1 hour', now())`, [NIL_ID]),
  )

  assert.deepEqual(read, { scans: 0, fetched: 0 })
})
