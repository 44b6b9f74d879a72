import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import { CURRENT_STORE, namedStatement } from '#shared/platform/db/statement.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { toTimestamp } from '#shared/platform/http/schema.ts'
import { now } from '#shared/platform/time/clock.ts'
import { Webhook } from '#shared/webhooks/webhook.ts'
import { enqueueAttempts } from './enqueue-attempts.ts'
import { countDueSql, fromHeldSql, isWindowLowSql, WINDOW } from './window.ts'

// The ids are an array, because PostgreSQL would read the whole table to join as many rows as it expects.
const QUEUE_HELD = namedStatement(
  'queue_held_webhook_deliveries',
  { webhookId: 'uuid', at: 'timestamptz' },
  ({ webhookId, at }) => `
    update webhook_deliveries set job_id = gen_random_uuid()
    where store_id = ${CURRENT_STORE} and id = any (array(
      select held.id ${fromHeldSql(webhookId, at)}
      order by held.next_attempt_at, held.id
      limit ${WINDOW} - ${countDueSql(webhookId, at)}
      for no key update skip locked))
    returning id, job_id as "jobId"`,
)

/**
 * Enqueues the held deliveries of a webhook that have been due longest, as many as its window has room for. The caller
 * has locked the webhook, so that no other transaction counts the same room.
 */
export async function enqueueHeld(
  tx: StoreTx,
  webhook: Pick<Webhook, 'id' | 'failingSince' | 'isSlow'>,
): Promise<void> {
  const values = QUEUE_HELD.values({ webhookId: webhook.id, at: now() })
  const held = await tx.prepared<{ id: string; jobId: string }>(QUEUE_HELD, values)
  await enqueueAttempts(
    tx,
    held.map((delivery) => ({ delivery, webhook })),
  )
}

/** Fills the window of a webhook, unless another transaction has locked the webhook, most likely to do the same. */
export async function fillWindow(tx: StoreTx, webhookId: string): Promise<void> {
  const webhook = await Webhook.in(tx).findById(webhookId).forNoKeyUpdate().skipLocked()
  if (webhook) await enqueueHeld(tx, webhook)
}

// Deleted webhooks count too, in case the job that fails their deliveries is lost.
const FIND_LOW_WINDOWS = namedStatement(
  'find_low_webhook_windows',
  { at: 'timestamptz' },
  ({ at }) => `select w.id from webhooks w
    where w.store_id = ${CURRENT_STORE} and ${isWindowLowSql('w.id', at, { settled: 0 })}`,
)

/**
 * Fills the windows of the store's webhooks that are at most half full while deliveries are held. Each is filled in a
 * separate transaction, so that no webhook stays locked while the next ones are filled.
 */
export async function fillLowWindows(storeId: string): Promise<void> {
  const low = await readInStore(
    storeId,
    FIND_LOW_WINDOWS,
    FIND_LOW_WINDOWS.values({ at: toTimestamp(now()) }),
  )
  for (const [webhookId] of low) if (webhookId) await inStore(storeId, (tx) => fillWindow(tx, webhookId))
}
