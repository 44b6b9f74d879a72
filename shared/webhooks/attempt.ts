import { StoreModel } from '#shared/platform/db/model.ts'

/** One request to a webhook with its result. */
export class WebhookAttempt extends StoreModel {
  static override tableName = 'webhook_attempts'

  declare deliveryId: string
  declare at: Date
  declare statusCode: number | null
  declare durationMs: number
  declare error: string | null
  declare responseExcerpt: string | null
}

/** The result of one request to a webhook. */
export interface AttemptResult {
  at: Date
  /** Null when the webhook did not respond. */
  statusCode: number | null
  durationMs: number
  error: string | null
  responseExcerpt: string | null
  retryAfterMs: number | null
}

export const isSuccess = ({ statusCode }: Pick<AttemptResult, 'statusCode'>): boolean =>
  statusCode !== null && statusCode >= 200 && statusCode < 300
