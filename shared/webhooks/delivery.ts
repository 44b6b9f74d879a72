import { StoreModel } from '#shared/platform/db/model.ts'
import type { DeliveryStatus } from './states.ts'

/** An event on its way to one endpoint. */
export class WebhookDelivery extends StoreModel {
  static override tableName = 'webhook_deliveries'

  declare endpointId: string
  declare eventId: string
  declare eventType: string
  declare status: DeliveryStatus
  /** Attempts since it was made or last redelivered. */
  declare attemptCount: number
  declare nextAttemptAt: Date | null
  /** The job that makes its next attempt. Any other job for it is out of date and does nothing. */
  declare jobId: string | null
  declare createdAt: Date
}
