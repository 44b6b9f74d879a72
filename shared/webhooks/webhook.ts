import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'

/** The reasons why the service disables a webhook: it responded 410 Gone, or it failed for five days. */
export const DISABLED_REASONS = ['gone', 'failing'] as const
export type DisabledReason = (typeof DISABLED_REASONS)[number]

/** A URL to which a store's events are sent. */
export class Webhook extends StoreModel {
  static override tableName = 'webhooks'

  declare url: string
  /** Event types, `order.*`, or `*`. */
  declare events: string[]
  declare description: string | null
  declare isActive: boolean
  declare secretSealed: string
  declare previousSecretSealed: string | null
  declare previousSecretUntil: Date | null
  /** The time of the first failure since the last success. */
  declare failingSince: Date | null
  /** Whether its last response was slow. Then its deliveries use the slow queue. */
  declare isSlow: boolean
  declare disabledReason: DisabledReason | null
  /** The staff member who created it, or who gave it another URL; null if nobody of the staff did. */
  declare createdBy: string | null
  declare createdAt: Date
  declare updatedAt: Date
  declare deletedAt: Date | null
}

/** Returns a query of the webhooks of a store that are not deleted. */
export const existingWebhooks = (tx: StoreTx) => Webhook.in(tx).whereNull('deleted_at')

/** Finds a webhook. Throws `resource.not_found`. */
export async function findWebhook(tx: StoreTx, id: string): Promise<Webhook> {
  return assertFound(await existingWebhooks(tx).findById(id))
}

/** Finds a webhook and locks it against other changes. Throws `resource.not_found`. */
export async function lockWebhook(tx: StoreTx, id: string): Promise<Webhook> {
  return assertFound(await existingWebhooks(tx).findById(id).forNoKeyUpdate())
}
