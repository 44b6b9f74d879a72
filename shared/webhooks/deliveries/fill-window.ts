import { CURRENT_STORE, namedStatement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { Webhook } from '#shared/webhooks/webhook.ts'
import { enqueueAttempts } from './enqueue-attempts.ts'
import { countDueSql, fromHeldSql, WINDOW } from './window.ts'

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
