import { assertStoreAvailable } from '#shared/identity/assert-store-available.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { findLinkAccount, type LinkToken, readLinkToken } from '#shared/identity/links/link.ts'
import { callerByAccount } from '#shared/identity/passwords/hash-caller.ts'
import { hashPassword } from '#shared/identity/passwords/password.ts'
import type { StoreAccount } from '#shared/identity/principal.ts'
import { findStoreById } from '#shared/stores/find-store.ts'
import type { Store } from '#shared/stores/store.ts'

/** The verified link of a reset, its account, and the hash of the new password. */
export interface PreparedReset {
  link: LinkToken
  account: StoreAccount
  passwordHash: string
}

/**
 * Verifies the link of a reset mail and hashes the new password, before the transaction, so that no connection waits
 * for it. Throws `auth.link_invalid`, also if link and request name different stores, and `auth.tenant_unavailable`.
 */
export async function prepareReset(
  store: Store | null,
  presented: string,
  password: string,
): Promise<PreparedReset> {
  const link = await readOwnLink(store, presented)
  const account = await findLinkAccount(link, 'reset_password')
  const passwordHash = await hashPassword(password, callerByAccount(link.storeId, account.id))
  return { link, account, passwordHash }
}

async function readOwnLink(store: Store | null, presented: string): Promise<LinkToken> {
  const token = readLinkToken(presented)
  if (store && store.id !== token.storeId) throw AuthErrors.linkInvalid()
  if (!(await findStoreById(token.storeId))) throw AuthErrors.linkInvalid()
  await assertStoreAvailable(token.storeId)
  return token
}
