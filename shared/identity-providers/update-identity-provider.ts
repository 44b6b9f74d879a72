import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import type { ProviderFields } from './create-identity-provider.ts'
import { endCompletedSignIns, endSignIns } from './end-sign-ins.ts'
import { IdentityProvider, sealClientSecret } from './identity-provider.ts'
import { lockIdentityProviderAs } from './lock-identity-provider-as.ts'
import { assertRedirectUrls } from './redirect-url.ts'

/**
 * Changes a provider. Omitted fields keep their value. The issuer cannot change, because the same subject is another
 * person at another issuer. A provider that is deactivated or gets another client no longer vouches for the sessions
 * that it opened, so they are closed, and sign-ins in progress end. The removal of a redirect URL closes the sessions
 * too, and ends only the sign-ins that return to it. Another client makes the actor the creator, and the former creator
 * a contributor. An added redirect URL makes the actor a contributor.
 */
export async function updateIdentityProvider(
  tx: StoreTx,
  actorId: string,
  id: string,
  { clientSecret, ...changes }: Partial<ProviderFields>,
  ifMatch: string | undefined,
): Promise<IdentityProvider> {
  const provider = await lockIdentityProviderAs(tx, actorId, id)
  assertUnchanged(provider, ifMatch)
  assertRedirectUrls(changes.redirectUrls ?? [])
  if (losesTrust(provider, changes)) await endSignIns(tx, id)
  else if (dropsUrl(provider, changes)) await endCompletedSignIns(tx, id)
  return IdentityProvider.in(tx).patchAndFetchById(id, {
    ...changes,
    ...(hasOtherClient(provider, changes) ? { createdBy: actorId } : {}),
    contributorIds: contributorsAfter(provider, changes, actorId),
    ...(clientSecret === undefined
      ? {}
      : { sealedSecret: clientSecret && sealClientSecret(clientSecret, id) }),
    updatedAt: nextUpdatedAt(provider),
  })
}

/**
 * Whether a change removes a redirect URL. The page there may be somebody else's, and sessions do not store by which
 * page they were opened. Sign-ins in progress check their URL again.
 */
const dropsUrl = (
  { redirectUrls }: IdentityProvider,
  { redirectUrls: nextUrls = redirectUrls }: Partial<ProviderFields>,
): boolean => redirectUrls.some((url) => !nextUrls.includes(url))

const losesTrust = (provider: IdentityProvider, changes: Partial<ProviderFields>): boolean =>
  changes.isActive === false || hasOtherClient(provider, changes)

const hasOtherClient = (
  { clientId }: IdentityProvider,
  { clientId: nextClientId = clientId }: Partial<ProviderFields>,
): boolean => nextClientId !== clientId

/** Whether a change adds a redirect URL. */
const addsUrl = (
  { redirectUrls }: IdentityProvider,
  { redirectUrls: nextUrls = [] }: Partial<ProviderFields>,
): boolean => nextUrls.some((url) => !redirectUrls.includes(url))

function contributorsAfter(
  provider: IdentityProvider,
  changes: Partial<ProviderFields>,
  actorId: string,
): string[] {
  const { contributorIds, createdBy } = provider
  // The former creator chose the issuer, which stays.
  if (hasOtherClient(provider, changes)) return unique([...contributorIds, createdBy, actorId])
  return addsUrl(provider, changes) ? unique([...contributorIds, actorId]) : contributorIds
}

const unique = (ids: readonly (string | null)[]): string[] => [...new Set(ids.filter((id) => id !== null))]
