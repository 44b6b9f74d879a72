import { StoreModel } from '#shared/platform/db/model.ts'
import type { AccountType } from './access-token.ts'

/** Where a session is used from, as its owner sees it in a list of sessions. */
export interface Device {
  ip: string | null
  userAgent: string | null
}

export type ClosedReason =
  | 'logout'
  | 'logout_all'
  | 'refresh_token_reused'
  | 'closed_in_list'
  | 'password_changed'
  | 'password_reset'
  | 'email_changed'
  | 'switched_off'
  | 'removed'
  | 'revoked'
  | 'store_deleted'

/** An account signed in at one device. Of its refresh token only the SHA-256 is kept. */
export class Session extends StoreModel {
  static override tableName = 'sessions'

  declare accountType: AccountType
  declare accountId: string
  /** How often the refresh token was exchanged; 0 marks one from before rotation. */
  declare generation: number
  declare tokenHash: Buffer
  /** Of the token before it; null while there is none. */
  declare predecessorHash: Buffer | null
  /** When the generations before the present one were superseded, the latest first, for the last minute. */
  declare supersededAt: Date[]
  declare ip: string | null
  declare userAgent: string | null
  declare createdAt: Date
  /** When it was opened or last renewed. */
  declare lastUsedAt: Date
  /** When it ends unless it is used before. */
  declare expiresAt: Date
  declare closedAt: Date | null
  declare closedReason: ClosedReason | null
  /** Why a super-admin opened it, as an administrator; null for everyone else's. */
  declare supportReason: string | null
}
