import { emailScopeOf, normalizeEmail } from '#shared/identity/email.ts'
import {
  type Account,
  type AccountType,
  type PrincipalType,
  principalOf,
  type StoreAccount,
} from '#shared/identity/principal.ts'
import { failedSignInsSql, toFailedSignIns } from '#shared/identity/throttling/failed-sign-ins.ts'
import type { Failures } from '#shared/identity/throttling/limit-failures.ts'
import { readInResolvedStore, readInStore, readOnPlatform } from '#shared/platform/db/pipelined-query.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'

/** The password hash of an account, and its store; null on the platform. */
export interface Credentials<A extends Account = Account> {
  account: A
  storeId: string | null
  /** Null for an account without a password. */
  passwordHash: string | null
}

/**
 * Finds the account of an e-mail address, and the failed sign-ins with this address. With `storeId` it does not find
 * accounts of other stores; staff are found without it. It opens no transaction, because the slow hash follows.
 */
export async function findCredentialsToSignIn<T extends PrincipalType>(
  type: T,
  storeId: string | null,
  email: string,
): Promise<{ found: Credentials<Account<T>> | null; failures: Failures }> {
  const [row = []] = await readCredentials(type, storeId, normalizeEmail(email))
  const [ownStore = null, id, passwordHash = null, used = null, endsAt = null] = row
  const isFound = id && (!storeId || storeId === ownStore)
  return {
    found: isFound ? { account: { type, id }, storeId: ownStore, passwordHash } : null,
    failures: toFailedSignIns(emailScopeOf(storeId, type), email, [used, endsAt]),
  }
}

/** Returns the account of an e-mail address and its store. Staff are found without `storeId`. */
export async function findCredentials(
  type: AccountType,
  storeId: string | null,
  email: string,
): Promise<{ account: StoreAccount; storeId: string } | null> {
  const { found } = await findCredentialsToSignIn(type, storeId, email)
  return found?.storeId ? { account: found.account, storeId: found.storeId } : null
}

function readCredentials(type: PrincipalType, storeId: string | null, emailNormalized: string) {
  const { credentials, emailScope } = principalOf(type)
  const failures = failedSignInsSql(emailScope === 'store' ? `${CURRENT_STORE}::text` : "'staff'")
  const statement = {
    name: `find_${type}_credentials`,
    text: `
      select a.store_id, a.id, a.password_hash, failed.used, failed.ends_at
      from (select) one_row
      left join (${failures}) failed on true
      left join (${credentials.account}) a on true`,
  }
  if (credentials.store) {
    const finder = { name: `find_${type}_store`, text: credentials.store }
    return readInResolvedStore(finder, statement, [emailNormalized])
  }
  return storeId
    ? readInStore(storeId, statement, [emailNormalized])
    : readOnPlatform(statement, [emailNormalized])
}
