import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { emitAll } from '#shared/platform/events/events.ts'
import { deleteWebhook } from '#shared/webhooks/delete-webhook.ts'
import { WebhookDelivery } from '#shared/webhooks/deliveries/delivery.ts'
import { WINDOW } from '#shared/webhooks/deliveries/window.ts'
import { DELIVERY_QUEUES } from '#shared/webhooks/jobs.ts'
import type { Webhook } from '#shared/webhooks/webhook.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildWebhook, parcelMoved } from '#test/support/builders/webhooks.ts'
import { superuser } from '#test/support/database.ts'
import { discardJobs, drainJobs } from '#test/support/processes/jobs.ts'
import { publishEvents } from '#workers/events/publish-events.ts'
import { failDeliveries } from '#workers/webhooks/fail-deliveries.ts'

const URL = 'http://127.0.0.1:9/hook'
const EVENTS = WINDOW + 10

/** A store with two webhooks with deliveries that were not sent: each has a window of jobs, and ten are held. */
async function scene() {
  const store = await buildStore()
  const [deleted, kept] = [await buildWebhook(store, { url: URL }), await buildWebhook(store, { url: URL })]
  await inStore(store.id, (tx) =>
    emitAll(
      tx,
      parcelMoved,
      Array.from({ length: EVENTS }, (_, step) => ({ step })),
    ),
  )
  await drainJobs([publishEvents])
  return { store, deleted: deleted.webhook, kept: kept.webhook }
}

const countWaitingJobs = async (store: { id: string }): Promise<number> => {
  const { rows } = await superuser.query(
    `select from pgboss.job where name = any($1) and group_id = $2 and state in ('created', 'retry')`,
    [DELIVERY_QUEUES, store.id],
  )
  return rows.length
}

const countByStatus = async (store: { id: string }, { id }: Webhook): Promise<Record<string, number>> => {
  const deliveries = await inStore(store.id, (tx) => WebhookDelivery.in(tx).where('webhook_id', id))
  const byStatus = Map.groupBy(deliveries, ({ status }) => status)
  return Object.fromEntries([...byStatus].map(([status, found]) => [status, found.length]))
}

test('the pending deliveries of a deleted webhook fail and leave no jobs; those of another webhook stay', async () => {
  const { store, deleted, kept } = await scene()
  const before = await countWaitingJobs(store)

  await inStore(store.id, (tx) => deleteWebhook(tx, deleted.id))
  await drainJobs([failDeliveries])

  assert.equal(before, 2 * WINDOW)
  assert.equal(await countWaitingJobs(store), WINDOW)
  assert.deepEqual(await countByStatus(store, deleted), { failed: EVENTS })
  assert.deepEqual(await countByStatus(store, kept), { pending: EVENTS })
  await discardJobs()
})

test('a deletion that is rolled back fails no deliveries', async () => {
  const { store, deleted } = await scene()

  await assert.rejects(
    inStore(store.id, async (tx) => {
      await deleteWebhook(tx, deleted.id)
      throw new Error('rolled back')
    }),
    /rolled back/,
  )
  await drainJobs([failDeliveries])

  assert.deepEqual(await countByStatus(store, deleted), { pending: EVENTS })
  await discardJobs()
})
