import type { Static } from 'typebox'
import { factorOf } from '#api/identity/request.ts'
import { toCamelCase } from '#api/platform/input/request-fields.ts'
import type { PresentedCode } from '#shared/accounts/exchange-code.ts'
import type { NewProvider } from '#shared/identity-providers/create-identity-provider.ts'
import type { CreateIdentityProviderRequest, ExchangeCodeRequest } from './schemas.ts'

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

/** Reads a one-time code from a request body. */
export const toPresentedCode = (body: Static<typeof ExchangeCodeRequest>): PresentedCode => ({
  code: body.code,
  codeVerifier: body.code_verifier,
  secondFactor: factorOf(body),
})
