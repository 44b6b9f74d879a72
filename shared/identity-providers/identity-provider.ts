import type { AccountType } from '#shared/identity/principal.ts'
import { StoreModel } from '#shared/platform/db/model.ts'

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
