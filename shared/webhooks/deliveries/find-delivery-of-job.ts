import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import { namedStatement } from '#shared/platform/db/statement.ts'
import { EVENT_JSON, joinPublishedEventSql } from '#shared/platform/events/event-view.ts'
import { IS_STORE_DELETED } from '#shared/stores/store.ts'
import { webhookTest } from '#shared/webhooks/events.ts'
import { covers } from '#shared/webhooks/subscribes-to.ts'
import { Webhook } from '#shared/webhooks/webhook.ts'
import { isOwnedByJobSql, WebhookDelivery } from './delivery.ts'

/** A delivery whose next attempt belongs to a job, with everything that the attempt needs. */
export interface DeliveryOfJob {
  id: string
  jobId: string
  attemptCount: number
  /** `body` is null for a large event. Read it by `readEventBody`. */
  event: { id: string; type: string; body: string | null }
  webhook: Webhook
  isStoreDeleted: boolean
}

/** The most bytes of an event that are read with its delivery. */
const MAX_SMALL_BYTES = 64 * 1024

const FIND_DELIVERY_OF_JOB = namedStatement(
  'find_webhook_delivery_of_job',
  { id: 'uuid', jobId: 'uuid' },
  ({ id, jobId }) => `
    select to_jsonb(d), case when octet_length(event.body) <= ${MAX_SMALL_BYTES} then event.body end, to_jsonb(w),
      ${IS_STORE_DELETED}
    from webhook_deliveries d
    ${joinPublishedEventSql('d')}
    cross join lateral (select (${EVENT_JSON})::text as body) event
    join webhooks w on w.store_id = d.store_id and w.id = d.webhook_id
    where ${isOwnedByJobSql({ row: 'd', id, jobId })}`,
)

/** Finds a delivery if its next attempt belongs to a job. Null if it is settled or belongs to another job. */
export async function findDeliveryOfJob(
  storeId: string,
  id: string,
  jobId: string,
): Promise<DeliveryOfJob | null> {
  const [row] = await readInStore(storeId, FIND_DELIVERY_OF_JOB, FIND_DELIVERY_OF_JOB.values({ id, jobId }))
  if (!row) return null
  const [delivery, body, webhook, isStoreDeleted] = row as [string, string | null, string, string]
  const { attemptCount, eventId, eventType } = WebhookDelivery.ofJson(delivery)
  return {
    id,
    jobId,
    attemptCount,
    event: { id: eventId, type: eventType, body },
    webhook: Webhook.ofJson(webhook),
    isStoreDeleted: isStoreDeleted === 't',
  }
}

/**
 * Whether the webhook is active, unless the event is a test, and still covers the event. After a change of URL and
 * event types, the new URL must not receive events of former types, by a retry or a redelivery.
 */
export const isDeliverable = ({ webhook, event, isStoreDeleted }: DeliveryOfJob): boolean =>
  !isStoreDeleted &&
  webhook.deletedAt === null &&
  (webhook.isActive || event.type === webhookTest.type) &&
  covers(webhook, event.type)
