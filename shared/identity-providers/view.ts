import { type Static, Type } from 'typebox'
import { config } from '#shared/platform/config/config.ts'
import { toTimestamp } from '#shared/platform/http/response-values.ts'
import { CreatedBy, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { AUDIENCES, type IdentityProvider } from './identity-provider.ts'
import { callbackUrl } from './redirect-url.ts'

/** A provider for the sign-in page. */
export const SignInProviderView = Shape({
  code: Type.String({ description: 'For GET /auth/oauth/{provider}/authorize' }),
  name: Type.String(),
})

export const viewSignInProvider = ({ code, name }: IdentityProvider): Static<typeof SignInProviderView> => ({
  code,
  name,
})

export const IdentityProviderView = Shape({
  id: Uuid,
  code: Type.String(),
  name: Type.String(),
  issuer: Type.String(),
  client_id: Type.String(),
  has_client_secret: Type.Boolean({ description: 'The secret itself is never shown' }),
  scopes: Type.Array(Type.String()),
  redirect_urls: Type.Array(Type.String()),
  callback_url: Type.String({
    description:
      'Register this URL at the provider. If sign-ins begin on a domain of the store, register the same path on that ' +
      'domain too',
  }),
  audience: Type.Enum([...AUDIENCES]),
  is_active: Type.Boolean(),
  position: Type.Integer(),
  created_by: {
    ...CreatedBy,
    description:
      'The staff member who created it, or who gave it another client; null if a super-admin or the service did',
  },
  created_at: Timestamp,
  updated_at: Timestamp,
})

export const viewIdentityProvider = (provider: IdentityProvider): Static<typeof IdentityProviderView> => ({
  id: provider.id,
  code: provider.code,
  name: provider.name,
  issuer: provider.issuer,
  client_id: provider.clientId,
  has_client_secret: provider.sealedSecret !== null,
  scopes: provider.scopes,
  redirect_urls: provider.redirectUrls,
  callback_url: callbackUrl(config().PUBLIC_URL, provider.id),
  audience: provider.audience,
  is_active: provider.isActive,
  position: provider.position,
  created_by: provider.createdBy,
  created_at: toTimestamp(provider.createdAt),
  updated_at: toTimestamp(provider.updatedAt),
})
