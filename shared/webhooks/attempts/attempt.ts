import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** The bytes that an attempt and its job store, with indexes and the longest excerpt. */
export const ATTEMPT_BYTES = 1_900

/** One request to a webhook with its result. */
export class WebhookAttempt extends StoreModel {
  static override tableName = 'webhook_attempts'

  declare deliveryId: string
  declare at: Date
  /** Null when the webhook did not respond. */
  declare statusCode: number | null
  declare durationMs: number
  declare error: string | null
  declare responseExcerpt: string | null
}

/** The result of one request to a webhook, before it is stored. */
export interface AttemptResult
  extends Pick<WebhookAttempt, 'at' | 'statusCode' | 'durationMs' | 'error' | 'responseExcerpt'> {
  /** The delay that the response asks for by Retry-After. */
  retryAfterMs: number | null
}

export const isSuccess = ({ statusCode }: Pick<AttemptResult, 'statusCode'>): boolean =>
  statusCode !== null && statusCode >= 200 && statusCode < 300

/** Whether the receiver no longer exists: 410. */
export const isGone = ({ statusCode }: Pick<AttemptResult, 'statusCode'>): boolean => statusCode === 410

/** Returns the attempts of deliveries, oldest first. */
export const findAttempts = (tx: StoreTx, deliveryIds: string[]): Promise<WebhookAttempt[]> =>
  WebhookAttempt.in(tx).whereIn('delivery_id', deliveryIds).orderBy('id').execute() as Promise<
    WebhookAttempt[]
  >
