import { AuthErrors } from '#shared/identity/errors.ts'
import { IDENTITY_TABLES, type PrincipalType, principalOf } from '#shared/identity/principal.ts'
import { readInStore, readOnPlatform } from '#shared/platform/db/pipelined-query.ts'
import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { AccessClaims } from './access-token.ts'
import { RECENT_SIGN_IN_MINUTES } from './recent-sign-in.ts'

export interface CheckedSession {
  /** Whether the account signed in to this session, or proved itself again, within `RECENT_SIGN_IN_MINUTES`. */
  isSignInRecent: boolean
  /** The values of the principal's `sessionCheck.columns`, as text. */
  columns: readonly (string | null)[]
}

/**
 * Checks on each authenticated call that the token's session is open and its account active. Throws
 * `auth.session_revoked`.
 */
export async function checkSession(
  claims: AccessClaims<PrincipalType, string | null>,
): Promise<CheckedSession> {
  const { accountType, accountId, sessionId, storeId } = claims
  const statement = statementOf(accountType)
  const values = [sessionId, accountId, now().toISOString()]
  const [row] = storeId
    ? await readInStore(storeId, statement, values)
    : await readOnPlatform(statement, values)
  const [isOpen, isSignInRecent, ...columns] = row ?? []
  if (isOpen !== 't') throw AuthErrors.sessionRevoked()
  return { isSignInRecent: isSignInRecent === 't', columns }
}

const statements = new Map<PrincipalType, Statement>()

function statementOf(type: PrincipalType): Statement {
  const known = statements.get(type) ?? makeStatement(type)
  statements.set(type, known)
  return known
}

function makeStatement(type: PrincipalType): Statement {
  const { audience, sessionCheck } = principalOf(type)
  const isOfStore = audience === 'commerce'
  const { sessions } = IDENTITY_TABLES[isOfStore ? 'store' : 'platform']
  return {
    name: `check_${type}_session`,
    text: `
      select s.closed_at is null and s.expires_at > $3::timestamptz and ${sessionCheck.isActive},
        s.authenticated_at >= $3::timestamptz - interval '${RECENT_SIGN_IN_MINUTES} minutes',
        ${sessionCheck.columns}
      from ${sessions} s ${sessionCheck.joins}
      where s.id = $1::uuid and s.account_id = $2::uuid
        ${isOfStore ? `and s.store_id = ${CURRENT_STORE} and s.account_type = '${type}'` : ''}`,
  }
}
