import type { AccountType } from '#shared/identity/principal.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import { defineSecrets } from '#shared/platform/secrets/secrets.ts'
import { OauthErrors } from './errors.ts'

export const AUDIENCES = ['customers', 'staff'] as const
/** The kind of account that a provider signs in to. */
export type ProviderAudience = (typeof AUDIENCES)[number]

/** An identity provider of a store (OpenID Connect). */
export class IdentityProvider extends StoreModel {
  static override tableName = 'identity_providers'

  /** Its name in URLs, unique in the store. */
  declare code: string
  /** Its name on the sign-in page. */
  declare name: string
  declare issuer: string
  declare clientId: string
  /** Null for a public client, which is protected by PKCE only. */
  declare sealedSecret: string | null
  declare scopes: string[]
  /** The allowed redirect URLs. They must match exactly. */
  declare redirectUrls: string[]
  declare audience: ProviderAudience
  declare isActive: boolean
  declare position: number
  /** The staff member who created it, or gave it another client; null if nobody of the staff did. */
  declare createdBy: string | null
  /**
   * The staff members who gave it another client or redirect URL, and its former creators. See
   * `updateIdentityProvider`.
   */
  declare contributorIds: string[]
  declare createdAt: Date
  declare updatedAt: Date
}

const ACCOUNT_TYPES: Record<ProviderAudience, AccountType> = { customers: 'customer', staff: 'staff' }

export const accountTypeOf = ({ audience }: IdentityProvider): AccountType => ACCOUNT_TYPES[audience]

export const clientSecrets = defineSecrets(
  'client secrets at identity providers',
  { scope: 'store', table: 'identity_providers', columns: ['sealed_secret'] },
  ({ id }: Pick<IdentityProvider, 'id'>) => `identity_provider ${id}`,
)

export const sealClientSecret = (secret: string, id: string): string => clientSecrets.of({ id }).seal(secret)

/** Returns the client secret; null for a public client. */
export const openClientSecret = (provider: Pick<IdentityProvider, 'id' | 'sealedSecret'>): string | null =>
  provider.sealedSecret && clientSecrets.of(provider).open(provider.sealedSecret)

/** Returns an identity provider of the store. Throws `resource.not_found` if it does not exist. */
export async function findIdentityProvider(tx: StoreTx, id: string): Promise<IdentityProvider> {
  return assertFound(await IdentityProvider.in(tx).findById(id))
}

/**
 * Locks an identity provider. It waits for sign-ins that have locked it by `lockActiveIdentityProvider`. Throws
 * `resource.not_found` if it does not exist.
 */
export async function lockIdentityProvider(tx: StoreTx, id: string): Promise<IdentityProvider> {
  return assertFound(await IdentityProvider.in(tx).findById(id).forUpdate())
}

/** Returns an active identity provider. Throws `resource.not_found` if it does not exist or is inactive. */
export async function findActiveIdentityProvider(tx: StoreTx, code: string): Promise<IdentityProvider> {
  return assertFound(await activeProviders(tx).findOne({ code }))
}

/** Returns an active identity provider by its id. Throws `resource.not_found` if it does not exist or is inactive. */
export const findActiveIdentityProviderById = async (tx: StoreTx, id: string): Promise<IdentityProvider> =>
  assertFound(await activeProviders(tx).findById(id))

/** Locks a provider against changes and deletion, so that it stays active. Returns whether it is active. */
export const lockIfActive = async (tx: StoreTx, id: string): Promise<boolean> =>
  (await activeProviders(tx).findById(id).forKeyShare()) !== undefined

/**
 * Locks a provider like `lockIfActive`. Throws `auth.oauth_provider_unavailable` if it was deleted or deactivated while
 * the service called it.
 */
export async function lockActiveIdentityProvider(tx: StoreTx, id: string): Promise<void> {
  if (!(await lockIfActive(tx, id))) throw OauthErrors.providerUnavailable()
}

/** Returns the active identity providers, in the order of the sign-in page. */
export const listActiveIdentityProviders = async (
  tx: StoreTx,
  audience: ProviderAudience,
): Promise<IdentityProvider[]> => activeProviders(tx).where({ audience }).orderBy(['position', 'id'])

const activeProviders = (tx: StoreTx) => IdentityProvider.in(tx).where({ is_active: true })
