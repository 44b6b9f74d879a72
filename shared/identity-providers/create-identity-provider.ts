import { config } from '#shared/platform/config/config.ts'
import { assertBelowLimit } from '#shared/platform/db/assert-below-limit.ts'
import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { readPublicUrl } from '#shared/platform/net/public-url.ts'
import { now } from '#shared/platform/time/clock.ts'
import { assertMayChange } from './assert-may-change.ts'
import { IdentityProviderErrors } from './errors.ts'
import { IdentityProvider, type ProviderAudience, sealClientSecret } from './identity-provider.ts'
import { assertRedirectUrls } from './redirect-url.ts'

/** The most identity providers of a store. */
export const MAX_PROVIDERS = 20

/** The fields that can change later. The other fields decide which accounts the provider can sign in to. */
export interface ProviderFields {
  name: string
  clientId: string
  clientSecret: string | null
  scopes: string[]
  redirectUrls: string[]
  isActive: boolean
  position: number
}

export interface NewProvider extends ProviderFields {
  code: string
  issuer: string
  audience: ProviderAudience
}

/** Creates a provider on behalf of a staff member. Throws the errors of `assertMayChange`. */
export async function createIdentityProviderAs(
  tx: StoreTx,
  actorId: string,
  given: NewProvider,
): Promise<IdentityProvider> {
  await assertMayChange(tx, actorId, given)
  return createIdentityProvider(tx, actorId, given)
}

/** Creates an identity provider for a store's customers or staff. Throws `identity_provider.*`. */
export async function createIdentityProvider(
  tx: StoreTx,
  actorId: string | null,
  { clientSecret, ...given }: NewProvider,
): Promise<IdentityProvider> {
  assertIssuer(given.issuer)
  assertRedirectUrls(given.redirectUrls)
  await assertBelowLimit(tx, IdentityProvider.in(tx), MAX_PROVIDERS, IdentityProviderErrors.limitReached)
  const id = newId()
  const sealedSecret = clientSecret && sealClientSecret(clientSecret, id)
  const at = now()
  await IdentityProvider.in(tx)
    .insert({ ...given, id, sealedSecret, createdBy: actorId, createdAt: at, updatedAt: at })
    .onConflict(['store_id', 'code'])
    .ignore()
  const provider = await IdentityProvider.in(tx).findById(id)
  if (!provider) throw IdentityProviderErrors.codeTaken()
  return provider
}

/** Checks the text of the issuer's URL. Each request checks the address that its host resolves to. */
function assertIssuer(issuer: string): void {
  const url = readPublicUrl(issuer, { allowLocal: config().ALLOW_LOCAL_HOSTS })
  if (typeof url === 'string' || /[?#]/.test(issuer)) throw IdentityProviderErrors.issuerInvalid()
}
