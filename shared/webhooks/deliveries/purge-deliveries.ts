import { minIdAt } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { DAY_MS, inMs } from '#shared/platform/time/clock.ts'
import { WebhookAttempt } from '#shared/webhooks/attempts/attempt.ts'
import { Webhook } from '#shared/webhooks/webhook.ts'
import { WebhookDelivery } from './delivery.ts'

const RETENTION_MS = 30 * DAY_MS
const BATCH_SIZE = 1_000

/** Deletes up to 1,000 settled deliveries that are older than 30 days. Returns whether there may be more. */
export async function purgeDeliveries(tx: StoreTx): Promise<boolean> {
  const old = await WebhookDelivery.in(tx)
    .where('id', '<', minIdAt(inMs(-RETENTION_MS)))
    .whereNot('status', 'pending')
    .limit(BATCH_SIZE)
    .select('id')
  const ids = old.map(({ id }) => id)
  if (ids.length === 0) return false
  await WebhookAttempt.in(tx).whereIn('delivery_id', ids).delete()
  await WebhookDelivery.in(tx).whereIn('id', ids).delete()
  return ids.length === BATCH_SIZE
}

/** Deletes up to 1,000 deleted webhooks that have no delivery left. Returns whether there may be more. */
export async function purgeDeletedWebhooks(tx: StoreTx): Promise<boolean> {
  const unused = Webhook.in(tx)
    .whereNotNull('deleted_at')
    .whereNotExists(
      tx
        .knex('webhook_deliveries as d')
        .whereRaw('d.store_id = webhooks.store_id and d.webhook_id = webhooks.id'),
    )
    .limit(BATCH_SIZE)
    .select('id')
  const purged = await Webhook.in(tx).whereIn('id', unused).delete()
  return purged === BATCH_SIZE
}
