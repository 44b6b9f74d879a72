import { minIdAt } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { DAY_MS, inMs } from '#shared/platform/time/clock.ts'
import { WebhookAttempt } from './attempt.ts'
import { WebhookDelivery } from './delivery.ts'

const KEPT_MS = 30 * DAY_MS
const MOST = 1_000

/** Deletes deliveries made more than 30 days ago that are not under way, at most 1,000. Returns whether there may be more. */
export async function purgeDeliveries(tx: StoreTx): Promise<boolean> {
  const old = await WebhookDelivery.in(tx)
    .where('id', '<', minIdAt(inMs(-KEPT_MS)))
    .whereNot('status', 'pending')
    .limit(MOST)
    .select('id')
  const ids = old.map(({ id }) => id)
  if (ids.length === 0) return false
  await WebhookAttempt.in(tx).whereIn('delivery_id', ids).delete()
  await WebhookDelivery.in(tx).whereIn('id', ids).delete()
  return ids.length === MOST
}
