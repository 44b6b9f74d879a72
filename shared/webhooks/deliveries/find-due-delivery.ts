import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import { namedStatement } from '#shared/platform/db/statement.ts'
import { EVENT_JSON, joinPublishedEventSql } from '#shared/platform/events/event-view.ts'
import { IS_STORE_DELETED } from '#shared/stores/store.ts'
import { covers } from '#shared/webhooks/covers.ts'
import { webhookTest } from '#shared/webhooks/events.ts'
import { Webhook } from '#shared/webhooks/webhook.ts'
import { isDueSql, WebhookDelivery } from './delivery.ts'

/** A delivery whose next attempt belongs to this job, with everything the attempt needs. */
export interface DueDelivery {
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

const FIND_DUE_DELIVERY = namedStatement(
  'find_due_webhook_delivery',
  { id: 'uuid', jobId: 'uuid' },
  ({ id, jobId }) => `
    select to_jsonb(d), case when octet_length(event.body) <= ${MAX_SMALL_BYTES} then event.body end, to_jsonb(w),
      ${IS_STORE_DELETED}
    from webhook_deliveries d
    ${joinPublishedEventSql('d')}
    cross join lateral (select (${EVENT_JSON})::text as body) event
    join webhooks w on w.store_id = d.store_id and w.id = d.webhook_id
    where ${isDueSql({ row: 'd', id, jobId })}`,
)

/** Finds a delivery if its next attempt belongs to this job. Null if it is settled or belongs to another job. */
export async function findDueDelivery(
  storeId: string,
  id: string,
  jobId: string,
): Promise<DueDelivery | null> {
  const [row] = await readInStore(storeId, FIND_DUE_DELIVERY, FIND_DUE_DELIVERY.values({ id, jobId }))
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
export const isDeliverable = ({ webhook, event, isStoreDeleted }: DueDelivery): boolean =>
  !isStoreDeleted &&
  webhook.deletedAt === null &&
  (webhook.isActive || event.type === webhookTest.type) &&
  covers(webhook, event.type)
