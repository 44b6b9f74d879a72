import type { Static } from 'typebox'
import type { NewProvider, ProviderFields } from '#shared/identity-providers/create-provider.ts'
import type { ChangeProviderRequest, CreateProviderRequest } from './schemas.ts'

/** A new provider as a request describes it. */
export function draftOf(body: Static<typeof CreateProviderRequest>): NewProvider {
  return {
    code: body.code,
    issuer: body.issuer,
    audience: body.audience ?? 'customers',
    name: body.name,
    clientId: body.client_id,
    clientSecret: body.client_secret ?? null,
    scopes: body.scopes ?? ['email', 'profile'],
    redirectUrls: body.redirect_urls,
    isActive: body.is_active ?? true,
    position: body.position ?? 0,
  }
}

/** The changes that a request asks for; what it leaves out is undefined. */
export const changesOf = (body: Static<typeof ChangeProviderRequest>): Partial<ProviderFields> => ({
  name: body.name,
  clientId: body.client_id,
  clientSecret: body.client_secret,
  scopes: body.scopes,
  redirectUrls: body.redirect_urls,
  isActive: body.is_active,
  position: body.position,
})
