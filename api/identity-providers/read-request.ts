import type { Static } from 'typebox'
import { toCamelCase } from '#api/platform/input/request-fields.ts'
import type { NewProvider } from '#shared/identity-providers/create-provider.ts'
import type { CreateIdentityProviderRequest } from './schemas.ts'

/** Reads a new provider from a request body. */
export function toNewProvider(body: Static<typeof CreateIdentityProviderRequest>): NewProvider {
  return {
    audience: 'customers',
    clientSecret: null,
    scopes: ['email', 'profile'],
    isActive: true,
    position: 0,
    ...toCamelCase(body),
  }
}
