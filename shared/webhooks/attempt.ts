import { StoreModel } from '#shared/platform/db/model.ts'

/** One request to an endpoint, and how it ended. */
export class WebhookAttempt extends StoreModel {
  static override tableName = 'webhook_attempts'

  declare deliveryId: string
  declare at: Date
  declare statusCode: number | null
  declare durationMs: number
  declare error: string | null
  declare responseExcerpt: string | null
}
