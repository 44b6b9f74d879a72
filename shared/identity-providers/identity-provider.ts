import type { AccountType } from '#shared/identity/principal.ts'
import type { Paged } from '#shared/platform/db/list-query.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { defineSecrets } from '#shared/platform/secrets/secrets.ts'
import { OauthErrors } from './errors.ts'

export const AUDIENCES = ['customers', 'staff'] as const
/** Who signs in by a provider. */
export type Audience = (typeof AUDIENCES)[number]

/** Somebody else that a store lets say who people are (OpenID Connect). */
export class IdentityProvider extends StoreModel {
  static override tableName = 'identity_providers'

  /** Its name in addresses, unique in the store. */
  declare code: string
  /** What the sign-in page calls it. */
  declare name: string
  declare issuer: string
  declare clientId: string
  /** Null for a public client, which PKCE alone protects. */
  declare sealedSecret: string | null
  declare scopes: string[]
  /** Where a sign-in may lead back to: these addresses, letter for letter. */
  declare redirectUrls: string[]
  declare audience: Audience
  declare isActive: boolean
  declare position: number
  declare createdAt: Date
  declare updatedAt: Date
}

const ACCOUNT_TYPES: Record<Audience, AccountType> = { customers: 'customer', staff: 'staff' }

export const accountTypeOf = ({ audience }: IdentityProvider): AccountType => ACCOUNT_TYPES[audience]

export const clientSecrets = defineSecrets(
  'client secrets at identity providers',
  { scope: 'store', table: 'identity_providers', columns: ['sealed_secret'] },
  ({ id }: Pick<IdentityProvider, 'id'>) => `identity_provider ${id}`,
)

export const sealSecret = (secret: string, id: string): string => clientSecrets.of({ id }).seal(secret)

/** The secret that the service shows the provider; null for a public client. */
export const openSecret = (provider: Pick<IdentityProvider, 'id' | 'sealedSecret'>): string | null =>
  provider.sealedSecret && clientSecrets.of(provider).open(provider.sealedSecret)

/** One of the store's identity providers; 404 `resource.not_found`. */
export async function findProvider(tx: StoreTx, id: string): Promise<IdentityProvider> {
  return found(await IdentityProvider.in(tx).findById(id))
}

/** The same, locked: its changes are made one after another, and after the sign-ins that `holdProvider` lets end. */
export async function lockProvider(tx: StoreTx, id: string): Promise<IdentityProvider> {
  return found(await IdentityProvider.in(tx).findById(id).forUpdate())
}

/** One that people may sign in by; 404 `resource.not_found` for any other. */
export async function findActiveProvider(tx: StoreTx, code: string): Promise<IdentityProvider> {
  return found(await openProviders(tx).findOne({ code }))
}

/**
 * Keeps a provider from being deleted until the transaction ends. Throws `auth.oauth_provider_unavailable` when it was, or
 * switched off: while it was called, the store may have done with it.
 */
export async function lockActiveProvider(tx: StoreTx, id: string): Promise<void> {
  if (!(await openProviders(tx).findById(id).forKeyShare())) throw OauthErrors.providerUnavailable()
}

function found(provider: IdentityProvider | undefined): IdentityProvider {
  if (!provider) throw CommonErrors.notFound()
  return provider
}

/** Those that people may sign in by, in the order in which a sign-in page shows them. */
export const listActiveProviders = async (tx: StoreTx, audience: Audience): Promise<IdentityProvider[]> =>
  openProviders(tx).where({ audience }).orderBy(['position', 'id'])

const openProviders = (tx: StoreTx) => IdentityProvider.in(tx).where({ is_active: true })

/** A page of all of them, in the same order. */
export const listProviders = async (tx: StoreTx, query: Paged) =>
  IdentityProvider.in(tx)
    .orderBy(['position', 'id'])
    .page(query.page - 1, query.page_size)
