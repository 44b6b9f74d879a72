import { type Static, Type } from 'typebox'
import { List, nullsOldest } from '#shared/platform/db/list.ts'
import type { ListFilter } from '#shared/platform/db/list-query.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import {
  Nullable,
  Shape,
  Timestamp,
  toTimestamp,
  toTimestampOrNull,
  Uuid,
} from '#shared/platform/http/schema.ts'
import { now } from '#shared/platform/time/clock.ts'
import { invalid } from '#shared/platform/validation.ts'
import { knownRights } from '#shared/staff/rights.ts'
import { RightsView } from '../role.ts'
import type { ApiTokenMode } from './token-text.ts'

/** A token that gives a program rights of the staff. It never has more rights than its creator has now. */
export class ApiToken extends StoreModel {
  static override tableName = 'api_tokens'

  declare name: string
  declare tokenHash: Buffer
  /** Its first and last characters, so that people recognize it. */
  declare hint: string
  declare mode: ApiTokenMode
  declare rights: string[]
  /** The staff member who created it. */
  declare createdBy: string
  declare createdAt: Date
  declare updatedAt: Date
  declare expiresAt: Date | null
  /** Up to a minute old. */
  declare lastUsedAt: Date | null
  declare revokedAt: Date | null
}

/** A token of the store that was not revoked. Throws `resource.not_found`. */
export const findApiToken = async (tx: StoreTx, id: string): Promise<ApiToken> =>
  assertFound(await unrevoked(tx).findById(id))

/** Locks an unrevoked token. Throws `resource.not_found`. */
export const lockApiToken = async (tx: StoreTx, id: string): Promise<ApiToken> =>
  assertFound(await unrevoked(tx).findById(id).forNoKeyUpdate())

export const API_TOKENS = new List({
  sorts: {
    created_at: 'created_at',
    updated_at: 'updated_at',
    name: 'name',
    expires_at: 'expires_at',
    last_used_at: nullsOldest('last_used_at'),
  },
  order: 'created_at',
  searches: 'Part of the name or the hint',
  text: ['name', 'hint'],
})

/** One page of the store's unrevoked tokens, by default oldest first, and their number. */
export const listApiTokens = (tx: StoreTx, filter: ListFilter) => API_TOKENS.page(unrevoked(tx), filter)

/** The tokens of the store that can still be used, or whose expiry can be moved. */
export const unrevoked = (tx: StoreTx) => ApiToken.in(tx).whereNull('revoked_at')

function assertFound(token: ApiToken | undefined): ApiToken {
  if (!token) throw CommonErrors.notFound()
  return token
}

/** Throws 422 for an expiry that is not in the future. */
export function assertFutureExpiry(end: Date | null | undefined): void {
  // A leap second parses as an invalid date, which compares as false.
  if (end && !(end > now()))
    throw invalid(['expires_at'], 'Give a time to come, or null for a token that never ends', end)
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
