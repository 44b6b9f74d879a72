import { StoreModel } from '#shared/platform/db/model.ts'
import type { ApiTokenMode } from './token-text.ts'

/** A token by which a program does what a store's staff do: never more than who made it may, and no longer. */
export class ApiToken extends StoreModel {
  static override tableName = 'api_tokens'

  declare name: string
  declare tokenHash: Buffer
  /** Its first and last characters, by which people tell tokens apart. */
  declare hint: string
  declare mode: ApiTokenMode
  declare rights: string[]
  /** The staff member who made it. */
  declare createdBy: string
  declare createdAt: Date
  declare updatedAt: Date
  declare expiresAt: Date | null
  /** At most a minute behind. */
  declare lastUsedAt: Date | null
  declare revokedAt: Date | null
}
