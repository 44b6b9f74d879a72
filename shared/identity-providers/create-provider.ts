import { config } from '#shared/platform/config/config.ts'
import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { readPublicUrl } from '#shared/platform/net/public-url.ts'
import { now } from '#shared/platform/time/clock.ts'
import { assertMayChange } from './assert-may-change.ts'
import { IdentityProviderErrors } from './errors.ts'
import { type Audience, IdentityProvider, sealSecret } from './identity-provider.ts'
import { assertRedirectUrls } from './redirect-url.ts'

/** More than any sign-in page shows. */
const MOST = 20

/** What may be changed later. What may not decides whose accounts the provider opens. */
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
  audience: Audience
}

/** As `createProvider`, in somebody's name. Throws `user.owner_only` where anyone else would say who the staff are. */
export async function createProviderAs(
  tx: StoreTx,
  actorId: string,
  given: NewProvider,
): Promise<IdentityProvider> {
  await assertMayChange(tx, actorId, given)
  return createProvider(tx, given)
}

/** Lets a store's customers or staff sign in by an identity provider. Throws `identity_provider.*`. */
export async function createProvider(
  tx: StoreTx,
  { clientSecret, ...given }: NewProvider,
): Promise<IdentityProvider> {
  assertIssuer(given.issuer)
  assertRedirectUrls(given.redirectUrls)
  await leaveRoom(tx)
  const id = newId()
  const sealedSecret = clientSecret && sealSecret(clientSecret, id)
  const at = now()
  await IdentityProvider.in(tx)
    .insert({ ...given, id, sealedSecret, createdAt: at, updatedAt: at })
    .onConflict(['store_id', 'code'])
    .ignore()
  const provider = await IdentityProvider.in(tx).findById(id)
  if (!provider) throw IdentityProviderErrors.codeTaken()
  return provider
}

/** The text alone: what its name resolves to is checked whenever it is called. */
function assertIssuer(issuer: string): void {
  const url = readPublicUrl(issuer, { allowLocal: config().ALLOW_LOCAL_HOSTS })
  if (typeof url === 'string' || /[?#]/.test(issuer)) throw IdentityProviderErrors.issuerInvalid()
}

async function leaveRoom(tx: StoreTx): Promise<void> {
  // Two registrations at once must not both see the last free place.
  await tx.knex.raw("select pg_advisory_xact_lock(hashtextextended('identity_providers ' || ?, 0))", [
    tx.storeId,
  ])
  if ((await IdentityProvider.in(tx).resultSize()) >= MOST)
    throw IdentityProviderErrors.tooMany({ limit: MOST })
}
