import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import { EVENT_JSON, joinPublishedEventSql } from '#shared/platform/events/event-view.ts'
import { IS_STORE_DELETED } from '#shared/stores/store.ts'
import { webhookTest } from '#shared/webhooks/events.ts'
import { matches } from '#shared/webhooks/patterns.ts'
import type { Webhook } from '#shared/webhooks/webhook.ts'

type WebhookToCall = Pick<
  Webhook,
  | 'id'
  | 'url'
  | 'events'
  | 'isActive'
  | 'failingSince'
  | 'isSlow'
  | 'disabledReason'
  | 'secretSealed'
  | 'previousSecretSealed'
  | 'previousSecretUntil'
> & {
  /** Whether the webhook or its store is deleted. */
  isDeleted: boolean
}

/** A delivery whose next attempt belongs to this job, with everything the attempt needs. */
export interface DueDelivery {
  id: string
  jobId: string
  attemptCount: number
  event: { id: string; type: string; body: string }
  webhook: WebhookToCall
}

const FIND_DUE_DELIVERY: Statement = {
  name: 'find_due_webhook_delivery',
  text: `
    select d.attempt_count, e.id, e.type,
      ${EVENT_JSON},
      json_build_object('id', w.id, 'url', w.url, 'events', w.events, 'isActive', w.is_active,
        'isDeleted', w.deleted_at is not null or ${IS_STORE_DELETED},
        'failingSince', w.failing_since, 'isSlow', w.is_slow, 'disabledReason', w.disabled_reason,
        'secretSealed', w.secret_sealed, 'previousSecretSealed', w.previous_secret_sealed,
        'previousSecretUntil', w.previous_secret_until)
    from webhook_deliveries d
    ${joinPublishedEventSql('d')}
    join webhooks w on w.store_id = d.store_id and w.id = d.webhook_id
    where d.store_id = ${CURRENT_STORE}
      and d.id = $1::uuid and d.job_id = $2::uuid and d.status = 'pending'`,
}

/** Finds a delivery if its next attempt belongs to this job. Null if it is settled or belongs to another job. */
export async function findDueDelivery(
  storeId: string,
  deliveryId: string,
  jobId: string,
): Promise<DueDelivery | null> {
  const [row] = await readInStore(storeId, FIND_DUE_DELIVERY, [deliveryId, jobId])
  if (!row) return null
  const [attemptCount, eventId, type, body, webhook] = row as [string, string, string, string, string]
  const raw = JSON.parse(webhook)
  return {
    id: deliveryId,
    jobId,
    attemptCount: Number(attemptCount),
    event: { id: eventId, type, body },
    webhook: {
      ...raw,
      failingSince: toDate(raw.failingSince),
      previousSecretUntil: toDate(raw.previousSecretUntil),
    },
  }
}

const toDate = (text: string | null): Date | null => (text ? new Date(text) : null)

/**
 * Whether the webhook still covers the event. After a change of URL and event types, the new URL must not receive
 * events of former types, by a retry or a redelivery.
 */
export const isDeliverable = ({ webhook, event }: DueDelivery): boolean =>
  !webhook.isDeleted &&
  (event.type === webhookTest.type || (webhook.isActive && matches(webhook.events, event.type)))
