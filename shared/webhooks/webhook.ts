import { List } from '#shared/platform/db/list.ts'
import type { ListFilter } from '#shared/platform/db/list-query.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'

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
  declare createdAt: Date
  declare updatedAt: Date
  declare deletedAt: Date | null
}

const existing = (tx: StoreTx) => Webhook.in(tx).whereNull('deleted_at')

/** Finds a webhook. Throws `resource.not_found`. */
export async function findWebhook(tx: StoreTx, id: string): Promise<Webhook> {
  const webhook = await existing(tx).findById(id)
  if (!webhook) throw CommonErrors.notFound()
  return webhook
}

/** Finds a webhook and locks it against other changes. Throws `resource.not_found`. */
export async function lockWebhook(tx: StoreTx, id: string): Promise<Webhook> {
  const webhook = await existing(tx).findById(id).forNoKeyUpdate()
  if (!webhook) throw CommonErrors.notFound()
  return webhook
}

export const WEBHOOKS = new List({
  sorts: { created_at: 'created_at', updated_at: 'updated_at', url: 'url' },
  order: 'created_at',
  searches: 'Part of the URL, the description or an event type',
  text: ['url', 'description', "array_to_string(events, ' ')"],
})

/** Returns a page of the store's webhooks, by default oldest first. */
export const listWebhooks = (tx: StoreTx, filter: ListFilter) => WEBHOOKS.page(existing(tx), filter)
