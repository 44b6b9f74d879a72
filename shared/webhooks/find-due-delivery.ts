import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import { API_VERSION } from '#shared/platform/events/event-view.ts'
import type { DisabledReason } from './endpoint.ts'

/** A delivery whose next attempt is this job's, with all that the attempt needs. */
export interface DueDelivery {
  id: string
  jobId: string
  attemptCount: number
  event: { id: string; type: string; body: string }
  endpoint: {
    id: string
    url: string
    isActive: boolean
    /** It, or its whole store. */
    isDeleted: boolean
    failingSince: Date | null
    isSlow: boolean
    disabledReason: DisabledReason | null
    secretSealed: string
    previousSecretSealed: string | null
    previousSecretUntil: Date | null
  }
}

// The envelope (the view of an event) is made of the kept row, so every attempt sends it byte for byte.
const FIND_DUE_DELIVERY: Statement = {
  name: 'find_due_webhook_delivery',
  text: `
    select d.attempt_count, e.id, e.type,
      json_build_object('id', e.id, 'type', e.type,
        'timestamp', to_char(e.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'api_version', '${API_VERSION}', 'store_id', e.store_id, 'sequence', e.sequence, 'data', e.data),
      json_build_object('id', p.id, 'url', p.url, 'isActive', p.is_active, 'isDeleted', p.deleted_at is not null or s.status = 'deleted',
        'failingSince', p.failing_since, 'isSlow', p.is_slow, 'disabledReason', p.disabled_reason,
        'secretSealed', p.secret_sealed, 'previousSecretSealed', p.previous_secret_sealed,
        'previousSecretUntil', p.previous_secret_until)
    from webhook_deliveries d
    join events e on e.store_id = d.store_id and e.id = d.event_id and e.sequence is not null
    join webhook_endpoints p on p.store_id = d.store_id and p.id = d.endpoint_id
    join stores s on s.id = d.store_id
    where d.store_id = ${CURRENT_STORE}
      and d.id = $1::uuid and d.job_id = $2::uuid and d.status = 'pending'`,
}

/** The delivery, if this job is the one that makes its next attempt; null when it is settled or another job's. */
export async function findDueDelivery(
  storeId: string,
  deliveryId: string,
  jobId: string,
): Promise<DueDelivery | null> {
  const [row] = await readInStore(storeId, FIND_DUE_DELIVERY, [deliveryId, jobId])
  if (!row) return null
  const [attemptCount, eventId, type, body, endpoint] = row as string[]
  const raw = JSON.parse(endpoint ?? '')
  return {
    id: deliveryId,
    jobId,
    attemptCount: Number(attemptCount),
    event: { id: eventId ?? '', type: type ?? '', body: body ?? '' },
    endpoint: {
      ...raw,
      failingSince: toDate(raw.failingSince),
      previousSecretUntil: toDate(raw.previousSecretUntil),
    },
  }
}

const toDate = (text: string | null): Date | null => (text ? new Date(text) : null)
