import { namedStatement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { notifySettled } from '#shared/platform/notify/signals.ts'
import { now } from '#shared/platform/time/clock.ts'
import { webhookTest } from '#shared/webhooks/events.ts'
import { type DeliveryResult, isOwnedByJobSql } from './delivery.ts'
import type { DeliveryOfJob } from './find-delivery-of-job.ts'
import { isWindowLowSql } from './window.ts'

const FAIL_DELIVERY = namedStatement(
  'fail_webhook_delivery',
  { id: 'uuid', jobId: 'uuid', webhookId: 'uuid', at: 'timestamptz' },
  ({ id, jobId, webhookId, at }) => `
    with delivery as (
      update webhook_deliveries d set status = 'failed', next_attempt_at = null, job_id = null
      where ${isOwnedByJobSql({ row: 'd', id, jobId })}
      returning id
    )
    select ${isWindowLowSql(webhookId, at, { settled: 1 })} as "isLow" from delivery`,
)

/**
 * Fails a delivery without an attempt, because its webhook was deleted or disabled, or no longer covers the event.
 * If that leaves the webhook's window low, fill it after the commit.
 */
export async function failDelivery(
  tx: StoreTx,
  { id, jobId, event, webhook }: DeliveryOfJob,
): Promise<DeliveryResult> {
  const values = FAIL_DELIVERY.values({ id, jobId, webhookId: webhook.id, at: now() })
  const [failed] = await tx.prepared<{ isLow: boolean }>(FAIL_DELIVERY, values)
  if (failed && event.type === webhookTest.type) await notifySettled(tx, id)
  return { status: 'failed', isWindowLow: failed?.isLow ?? false }
}
