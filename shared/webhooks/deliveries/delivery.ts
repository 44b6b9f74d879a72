import { newId } from '#shared/platform/db/id.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import { statesBefore, toSqlList } from '#shared/platform/states.ts'
import { now } from '#shared/platform/time/clock.ts'
import { DELIVERY_TRANSITIONS, type DeliveryStatus } from './states.ts'

const SETTLING_STATUSES = toSqlList(statesBefore(DELIVERY_TRANSITIONS, 'succeeded'))

/** SQL: whether a row of `webhook_deliveries` is a delivery that can settle and whose next attempt belongs to a job. */
export const isOwnedByJobSql = ({ row, id, jobId }: Record<'row' | 'id' | 'jobId', string>): string =>
  `${row}.store_id = ${CURRENT_STORE} and ${row}.id = ${id} and ${row}.job_id = ${jobId}
     and ${row}.status in ${SETTLING_STATUSES}`

/** The delivery of an event to one webhook. */
export class WebhookDelivery extends StoreModel {
  static override tableName = 'webhook_deliveries'

  declare webhookId: string
  declare eventId: string
  declare eventType: string
  declare status: DeliveryStatus
  /** Attempts since the delivery was created or last redelivered. */
  declare attemptCount: number
  declare nextAttemptAt: Date | null
  /** The job of the next attempt. Any other job of the delivery is outdated and does nothing. Null while it is held. */
  declare jobId: string | null
  declare createdAt: Date
}

/** A delivery's status after its attempt, or after it failed without one, and whether its webhook's window is low. */
export interface DeliveryResult {
  status: DeliveryStatus
  isWindowLow: boolean
}

/** Returns a row whose first attempt is due now, with the id of its job. */
export const newDelivery = (event: { id: string; type: string }, webhookId: string) => ({
  id: newId(),
  webhookId,
  eventId: event.id,
  eventType: event.type,
  status: 'pending' as const,
  nextAttemptAt: now(),
  jobId: newId(),
  createdAt: now(),
})

/** Returns the columns of a delivery that is sent again: a new series of attempts, held until the window has room. */
export const redeliveryColumns = () => ({
  status: 'pending' as const,
  attemptCount: 0,
  nextAttemptAt: now(),
  jobId: null,
})
