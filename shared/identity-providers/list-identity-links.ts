import { IdentityLink } from '#shared/identity/identity-link.ts'
import { rowsOf, type StoreAccount } from '#shared/identity/principal.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { IdentityProvider } from './identity-provider.ts'

/** A link of an account, with its provider. */
export interface ListedLink {
  link: IdentityLink
  provider: IdentityProvider
}

/** Returns the links of an account to identity providers, the oldest first. It has at most one for each provider. */
export async function listIdentityLinks(tx: StoreTx, account: StoreAccount): Promise<ListedLink[]> {
  const links = await IdentityLink.in(tx).where(rowsOf(tx, account)).orderBy(['created_at', 'id'])
  const ids = links.map(({ providerId }) => providerId)
  const providers = await IdentityProvider.in(tx).whereRaw('id = any(?)', [ids])
  return links.flatMap((link) => {
    const provider = providers.find(({ id }) => id === link.providerId)
    return provider ? [{ link, provider }] : []
  })
}
