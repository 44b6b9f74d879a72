import { type Static, Type } from 'typebox'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import { toTimestamp, toTimestampOrNull } from '#shared/platform/http/response-values.ts'
import { Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { now } from '#shared/platform/time/clock.ts'
import { invalid } from '#shared/platform/validation.ts'
import { knownRights } from '#shared/staff/rights.ts'
import { RightsView } from '#shared/staff/role.ts'
import type { ApiTokenMode } from './token-text.ts'

/** A token with which a program uses rights of staff. It never has more rights than its creator has now. */
export class ApiToken extends StoreModel {
  static override tableName = 'api_tokens'

  declare name: string
  declare tokenHash: Buffer
  /** Its first and last characters, by which people recognize it. */
  declare hint: string
  declare mode: ApiTokenMode
  declare rights: string[]
  /** The staff member who created it. */
  declare createdBy: string
  declare createdAt: Date
  declare updatedAt: Date
  declare expiresAt: Date | null
  /** The time of the last use. It is at most a minute behind. */
  declare lastUsedAt: Date | null
  declare revokedAt: Date | null
}

/** Returns a token of the store that was not revoked. Throws `resource.not_found`. */
export const findApiToken = async (tx: StoreTx, id: string): Promise<ApiToken> =>
  assertFound(await unrevoked(tx).findById(id))

/** Locks an unrevoked token. Throws `resource.not_found`. */
export const lockApiToken = async (tx: StoreTx, id: string): Promise<ApiToken> =>
  assertFound(await unrevoked(tx).findById(id).forNoKeyUpdate())

/** Returns a query of the store's unrevoked tokens, including expired ones. */
export const unrevoked = (tx: StoreTx) => ApiToken.in(tx).whereNull('revoked_at')

/** Throws 422 for an expiry that is not in the future. */
export function assertFutureExpiry(end: Date | null | undefined): void {
  // Write it this way for leap seconds: they parse to an invalid date, whose comparisons are false.
  if (end && !(end > now()))
    throw invalid(['expires_at'], 'Use a time in the future, or null for a token that never expires', end)
}

const properties = {
  id: Uuid,
  name: Type.String(),
  hint: Type.String({ description: 'Its beginning and end, to tell tokens apart' }),
  mode: Type.Enum(['live', 'test']),
  rights: RightsView,
  created_by: Uuid,
  created_at: Timestamp,
  updated_at: Timestamp,
  expires_at: Nullable(Timestamp),
  last_used_at: Type.Unsafe<string | null>({
    ...Nullable(Timestamp),
    description: 'At most a minute behind',
  }),
}

export const ApiTokenView = Shape(properties)
export const NewApiTokenView = Shape({
  ...properties,
  token: Type.String({ description: 'Shown this once: it is kept as a hash' }),
})

export const viewApiToken = (token: ApiToken): Static<typeof ApiTokenView> => ({
  id: token.id,
  name: token.name,
  hint: token.hint,
  mode: token.mode,
  rights: knownRights(token.rights),
  created_by: token.createdBy,
  created_at: toTimestamp(token.createdAt),
  updated_at: toTimestamp(token.updatedAt),
  expires_at: toTimestampOrNull(token.expiresAt),
  last_used_at: toTimestampOrNull(token.lastUsedAt),
})
