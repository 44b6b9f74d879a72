import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { toTimestamp } from '#shared/platform/http/schema.ts'
import { notifySettled } from '#shared/platform/notify/signals.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { EndedAttempt } from '#shared/webhooks/deliveries/attempt.ts'
import { SETTLING_DELIVERY_STATUSES } from '#shared/webhooks/deliveries/delivery.ts'
import type { DueDelivery } from '#shared/webhooks/deliveries/find-due-delivery.ts'
import { isWindowLowSql } from '#shared/webhooks/deliveries/window.ts'
import { webhookTest } from '#shared/webhooks/events.ts'

const FAIL_DELIVERY: Statement = {
  name: 'fail_webhook_delivery',
  text: `
    with delivery as (
      update webhook_deliveries set status = 'failed', next_attempt_at = null, job_id = null
      where store_id = ${CURRENT_STORE}
        and id = $1::uuid and job_id = $2::uuid and status in ${SETTLING_DELIVERY_STATUSES}
      returning id
    )
    select (${isWindowLowSql('$3::uuid', '$4::timestamptz', { settled: 1 })})::text as "isLow" from delivery`,
}

/**
 * Fails a delivery without an attempt, because its webhook was deleted or disabled, or no longer covers the event.
 * If that leaves the webhook's window low, fill it after the commit.
 */
export async function failDelivery(
  tx: StoreTx,
  { id, jobId, event, webhook }: DueDelivery,
): Promise<EndedAttempt> {
  const values = [id, jobId, webhook.id, toTimestamp(now())]
  const [failed] = await tx.prepared<{ isLow: 'true' | 'false' }>(FAIL_DELIVERY, values)
  if (failed && event.type === webhookTest.type) await notifySettled(tx, id)
  return { status: 'failed', isWindowLow: failed?.isLow === 'true' }
}
