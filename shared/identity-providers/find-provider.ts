import type { Paged } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { OauthErrors } from './errors.ts'
import { type Audience, IdentityProvider } from './identity-provider.ts'

/** One of the store's identity providers; 404 `resource.not_found`. */
export async function findProvider(tx: StoreTx, id: string): Promise<IdentityProvider> {
  return found(await IdentityProvider.in(tx).findById(id))
}

/** The same, locked: its changes are made one after another, and after the sign-ins that `holdProvider` lets end. */
export async function lockProvider(tx: StoreTx, id: string): Promise<IdentityProvider> {
  return found(await IdentityProvider.in(tx).findById(id).forUpdate())
}

/** One that people may sign in by; 404 `resource.not_found` for any other. */
export async function findOpenProvider(tx: StoreTx, code: string): Promise<IdentityProvider> {
  return found(await openProviders(tx).findOne({ code }))
}

/**
 * Keeps a provider from being deleted until the transaction ends. Throws `auth.oauth_provider_unavailable` when it was, or
 * switched off: while it was called, the store may have done with it.
 */
export async function holdProvider(tx: StoreTx, id: string): Promise<void> {
  if (!(await openProviders(tx).findById(id).forKeyShare())) throw OauthErrors.providerUnavailable()
}

function found(provider: IdentityProvider | undefined): IdentityProvider {
  if (!provider) throw CommonErrors.notFound()
  return provider
}

/** Those that people may sign in by, in the order in which a sign-in page shows them. */
export const listOpenProviders = async (tx: StoreTx, audience: Audience): Promise<IdentityProvider[]> =>
  openProviders(tx).where({ audience }).orderBy(['position', 'id'])

const openProviders = (tx: StoreTx) => IdentityProvider.in(tx).where({ is_active: true })

/** A page of all of them, in the same order. */
export const listProviders = async (tx: StoreTx, query: Paged) =>
  IdentityProvider.in(tx)
    .orderBy(['position', 'id'])
    .page(query.page - 1, query.page_size)
