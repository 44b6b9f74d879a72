import type { Static } from 'typebox'
import type { RequestInfo } from '#api/platform/operation/request-info.ts'
import type { UnitOfWork } from '#api/platform/operation/unit-of-work.ts'
import { discardUnprovenData } from '#shared/customer-records/discard-unproven-data.ts'
import { assertStoreAvailable } from '#shared/identity/assert-store-available.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { findLinkAccount, type LinkToken, readLinkToken } from '#shared/identity/links/link.ts'
import { callerByAccount } from '#shared/identity/passwords/hash-caller.ts'
import { hashPassword } from '#shared/identity/passwords/password.ts'
import { resetPassword } from '#shared/identity/passwords/reset-password.ts'
import { nameLinkedProviders } from '#shared/identity-providers/name-linked-providers.ts'
import { revokeTokensOfMember } from '#shared/staff/api-tokens/revoke-tokens-of-member.ts'
import { findStoreById } from '#shared/stores/find-store.ts'
import type { Store } from '#shared/stores/store.ts'
import { deviceOf } from './request.ts'
import type { ResetPasswordRequest } from './schemas.ts'

/** Sets a new password by the link of a reset mail. */
export async function resetByLink(
  store: Store | null,
  { token, password }: Static<typeof ResetPasswordRequest>,
  request: RequestInfo,
  unitOfWork: UnitOfWork,
): Promise<void> {
  const link = await readOwnLink(store, token)
  const account = { ...(await findLinkAccount(link, 'reset_password')), sessionId: null }
  const passwordHash = await hashPassword(password, callerByAccount(link.storeId, account.id))
  const device = deviceOf(request)
  const change = { passwordHash, device }
  const parts = { discardUnprovenData, nameLinkedProviders, revokeTokensOfMember }
  await unitOfWork.inStore(link.storeId, (tx) => resetPassword(tx, link, change, parts), { account })
}

/** Reads a mailed link. Throws if the link and the request name different stores. */
async function readOwnLink(store: Store | null, presented: string): Promise<LinkToken> {
  const token = readLinkToken(presented)
  if (store && store.id !== token.storeId) throw AuthErrors.linkInvalid()
  if (!(await findStoreById(token.storeId))) throw AuthErrors.linkInvalid()
  await assertStoreAvailable(token.storeId)
  return token
}
