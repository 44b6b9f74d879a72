import { StoreModel } from '#shared/platform/db/model.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { KeyMode } from './key-format.ts'

/** A key that names its store in public clients. Its text is known to them alone; it is kept as a hash. */
export class PublishableKey extends StoreModel {
  static override tableName = 'publishable_keys'

  declare keyHash: Buffer
  declare name: string | null
  declare hint: string
  declare mode: KeyMode
  /** Empty: any origin. */
  declare allowedOrigins: string[]
  declare createdAt: Date
  declare updatedAt: Date
  /** When a successor was issued: from then on the key is on its way out. */
  declare rotatedAt: Date | null
  declare expiresAt: Date | null
  declare revokedAt: Date | null

  get status(): 'active' | 'rotated' | 'expired' | 'revoked' {
    if (this.revokedAt) return 'revoked'
    if (this.expiresAt && this.expiresAt <= now()) return 'expired'
    return this.rotatedAt ? 'rotated' : 'active'
  }

  /** Whether requests with it are let in. */
  get isUsable(): boolean {
    return this.status === 'active' || this.status === 'rotated'
  }
}
