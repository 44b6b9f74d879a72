import type { Device } from '#shared/identity/device.ts'
import { lockHolder } from '#shared/identity/holder.ts'
import { deleteIdentityLink } from '#shared/identity/identity-link.ts'
import type { StoreAccount } from '#shared/identity/principal.ts'
import { recordSecurityEvent } from '#shared/identity/security-event.ts'
import { closeSessionsByProvider } from '#shared/identity/sessions/close-sessions.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import { OauthErrors } from './errors.ts'
import { listIdentityLinks } from './list-identity-links.ts'

interface Removal {
  id: string
  /** The id of the session that stays open. */
  keep: string
  device: Device
}

/**
 * Removes a link of an account to an identity provider, on behalf of its holder. Closes the sessions that the provider
 * opened for the account, but not the session of the caller. Throws `resource.not_found`, and `auth.oauth_only_sign_in`
 * if nothing else could sign in to the account.
 */
export async function removeIdentityLink(
  tx: StoreTx,
  account: StoreAccount,
  { id, keep, device }: Removal,
): Promise<void> {
  // Lock the account: a concurrent sign-in by the provider must not open a session that is not closed here.
  const { passwordHash } = await lockHolder(tx, account)
  const links = await listIdentityLinks(tx, account)
  const removed = assertFound(links.find(({ link }) => link.id === id))
  const isOpenedByAnother = links.some(({ link, provider }) => link.id !== id && provider.isActive)
  if (passwordHash === null && !isOpenedByAnother) throw OauthErrors.onlySignIn()
  await closeSessionsByProvider(tx, account, removed.provider.id, { except: keep })
  await deleteIdentityLink(tx, id)
  await recordSecurityEvent(tx, 'identity_unlinked', account, device)
}
