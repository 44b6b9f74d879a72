import { DAY_MS, inMs } from '../platform/clock.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { WebhookAttempt, WebhookDelivery } from './delivery.ts'

const KEPT_MS = 30 * DAY_MS
const MOST = 1_000

/** Deletes deliveries that ended more than 30 days ago, at most 1,000. Returns whether there may be more. */
export async function purgeDeliveries(tx: StoreTx): Promise<boolean> {
  const old = await WebhookDelivery.in(tx).where('finished_at', '<', inMs(-KEPT_MS)).limit(MOST).select('id')
  const ids = old.map(({ id }) => id)
  if (ids.length === 0) return false
  await WebhookAttempt.in(tx).whereIn('delivery_id', ids).delete()
  await WebhookDelivery.in(tx).whereIn('id', ids).delete()
  return ids.length === MOST
}
