import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import type { ProviderFields } from './create-provider.ts'
import { endCompletedSignIns, endSignIns } from './end-sign-ins.ts'
import { IdentityProvider, sealSecret } from './identity-provider.ts'
import { lockProviderAs } from './lock-provider-as.ts'
import { assertRedirectUrls } from './redirect-url.ts'

/**
 * Changes a provider. Omitted fields keep their value. The issuer cannot change, because the same subject is another
 * person at another issuer. A provider that is deactivated or gets another client no longer vouches for the sessions
 * that it opened, so they are closed, and sign-ins in progress end. Another client, or another
 * URL that a sign-in may lead back to, makes the actor the creator.
 */
export async function updateProvider(
  tx: StoreTx,
  actorId: string,
  id: string,
  { clientSecret, ...changes }: Partial<ProviderFields>,
  ifMatch: string | undefined,
): Promise<IdentityProvider> {
  const provider = await lockProviderAs(tx, actorId, id)
  assertUnchanged(provider, ifMatch)
  assertRedirectUrls(changes.redirectUrls ?? [])
  if (losesTrust(provider, changes)) await endSignIns(tx, id)
  else if (dropsUrl(provider, changes)) await endCompletedSignIns(tx, id)
  return IdentityProvider.in(tx).patchAndFetchById(id, {
    ...changes,
    ...(isRedirected(provider, changes) ? { createdBy: actorId } : {}),
    ...(clientSecret === undefined ? {} : { sealedSecret: clientSecret && sealSecret(clientSecret, id) }),
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

const losesTrust = (
  { clientId }: IdentityProvider,
  { isActive = true, clientId: nextClientId = clientId }: Partial<ProviderFields>,
): boolean => !isActive || nextClientId !== clientId

/** Whether a change gives the provider another client, or another URL that a sign-in may lead back to. */
const isRedirected = (
  { clientId, redirectUrls }: IdentityProvider,
  { clientId: nextClientId = clientId, redirectUrls: nextUrls = [] }: Partial<ProviderFields>,
): boolean => nextClientId !== clientId || nextUrls.some((url) => !redirectUrls.includes(url))
