import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import { now } from '#shared/platform/time/clock.ts'

export const KEY_MODES = ['live', 'test'] as const
export type KeyMode = (typeof KEY_MODES)[number]

export const KEY_STATUSES = ['active', 'rotated', 'expired', 'revoked'] as const
export type KeyStatus = (typeof KEY_STATUSES)[number]

/** A key that names its store in public clients. The database holds only its hash. */
export class PublishableKey extends StoreModel {
  static override tableName = 'publishable_keys'

  declare keyHash: Buffer
  declare name: string | null
  declare hint: string
  declare mode: KeyMode
  /** The allowed origins; empty for any. */
  declare allowedOrigins: string[]
  /** The staff member who created it; null if a super-admin or the service did. */
  declare createdBy: string | null
  declare createdAt: Date
  declare updatedAt: Date
  /** The time at which a successor was issued. The key works until `expiresAt`. */
  declare rotatedAt: Date | null
  declare expiresAt: Date | null
  declare revokedAt: Date | null

  get status(): KeyStatus {
    if (this.revokedAt) return 'revoked'
    if (this.expiresAt && this.expiresAt <= now()) return 'expired'
    return this.rotatedAt ? 'rotated' : 'active'
  }

  /** Whether the API accepts requests with it. */
  get isUsable(): boolean {
    return this.status === 'active' || this.status === 'rotated'
  }
}

/** Finds a key of the store. Throws `resource.not_found`. */
export async function findPublishableKey(tx: StoreTx, id: string): Promise<PublishableKey> {
  return assertFound(await PublishableKey.in(tx).findById(id))
}

/** Finds the key and locks it against other changes. Throws `resource.not_found`. */
export async function lockPublishableKey(tx: StoreTx, id: string): Promise<PublishableKey> {
  return assertFound(await PublishableKey.in(tx).findById(id).forNoKeyUpdate())
}

/** Returns the keys of the store that the API accepts requests with. */
export const usableKeys = (tx: StoreTx) =>
  PublishableKey.in(tx)
    .whereNull('revoked_at')
    .where((end) => end.whereNull('expires_at').orWhere('expires_at', '>', now()))
