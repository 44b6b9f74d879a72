import { List } from '#shared/platform/db/list.ts'
import type { ListFilter } from '#shared/platform/db/list-query.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'

/** Why the service disabled an endpoint: it responded 410 Gone, or it failed for five days. */
export const DISABLED_REASONS = ['gone', 'failing'] as const
export type DisabledReason = (typeof DISABLED_REASONS)[number]

/** A URL that a store's events are sent to. */
export class WebhookEndpoint extends StoreModel {
  static override tableName = 'webhook_endpoints'

  declare url: string
  /** Event types, `order.*`, or `*`. */
  declare events: string[]
  declare description: string | null
  declare isActive: boolean
  declare secretSealed: string
  declare previousSecretSealed: string | null
  declare previousSecretUntil: Date | null
  /** The first failure since the last success. */
  declare failingSince: Date | null
  /** Its last response was slow, so its deliveries use the slow queue. */
  declare isSlow: boolean
  declare disabledReason: DisabledReason | null
  declare createdAt: Date
  declare updatedAt: Date
  declare deletedAt: Date | null
}

const existing = (tx: StoreTx) => WebhookEndpoint.in(tx).whereNull('deleted_at')

/** Throws `resource.not_found`. */
export async function findEndpoint(tx: StoreTx, id: string): Promise<WebhookEndpoint> {
  const endpoint = await existing(tx).findById(id)
  if (!endpoint) throw CommonErrors.notFound()
  return endpoint
}

/** Finds an endpoint and locks it against other changes. Throws `resource.not_found`. */
export async function lockEndpoint(tx: StoreTx, id: string): Promise<WebhookEndpoint> {
  const endpoint = await existing(tx).findById(id).forNoKeyUpdate()
  if (!endpoint) throw CommonErrors.notFound()
  return endpoint
}

export const ENDPOINTS = new List({
  sorts: { created_at: 'created_at', updated_at: 'updated_at', url: 'url' },
  order: 'created_at',
  searches: 'Part of the URL, the description or an event type',
  text: ['url', 'description', "array_to_string(events, ' ')"],
})

/** Returns a page of the store's endpoints, by default oldest first. */
export const listEndpoints = (tx: StoreTx, filter: ListFilter) => ENDPOINTS.page(existing(tx), filter)
