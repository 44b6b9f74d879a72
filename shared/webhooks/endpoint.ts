import { StoreModel } from '#shared/platform/db/model.ts'

/** Why the service switched an endpoint off: it answered 410 Gone, or it failed for five days. */
export const DISABLED_REASONS = ['gone', 'failing'] as const
export type DisabledReason = (typeof DISABLED_REASONS)[number]

/** An address that a store's events are sent to. */
export class WebhookEndpoint extends StoreModel {
  static override tableName = 'webhook_endpoints'

  declare url: string
  /** Kinds of events, `order.*`, or `*`. */
  declare events: string[]
  declare description: string | null
  declare isActive: boolean
  declare secretSealed: string
  declare previousSecretSealed: string | null
  declare previousSecretUntil: Date | null
  /** The first failure since the last success. */
  declare failingSince: Date | null
  /** Its last answer took long: its deliveries go where they hold up no others. */
  declare isSlow: boolean
  declare disabledReason: DisabledReason | null
  declare createdAt: Date
  declare updatedAt: Date
  declare deletedAt: Date | null
}
