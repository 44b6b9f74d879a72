import { after } from 'node:test'
import '#test/support/database.ts'
import {
  createIdentityProvider,
  type NewProvider,
} from '#shared/identity-providers/create-identity-provider.ts'
import type { IdentityProvider as Registered } from '#shared/identity-providers/identity-provider.ts'
import { callbackUrl } from '#shared/identity-providers/redirect-url.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { type IdentityProvider, type Person, startIdentityProvider } from '#test/sandbox/identity-provider.ts'
import { nextNumber } from '#test/support/builders/store.ts'
import { baseUrl } from '#test/support/processes/app.ts'

// Importing this file gives the test file an identity provider of its own.

export const REDIRECT_URL = 'https://shop.example.test/signed-in?from=provider'

export const provider: IdentityProvider = await startIdentityProvider({
  redirectUrls: [callbackUrl(baseUrl, '*')],
})
after(() => provider.stop())

/** A person at the provider. Default: with a verified address. */
export function buildPerson(given: Partial<Person> = {}): Person {
  const sub = `person-${nextNumber()}`
  const person = {
    sub,
    email: `${sub}@people.example.test`,
    email_verified: true,
    given_name: 'Ada',
    family_name: 'Byron',
    ...given,
  }
  provider.people.set(sub, person)
  return person
}

/** Enables sign-in by the provider for a store's customers. Default code: `acme`. */
export const buildProvider = (store: { id: string }, given: Partial<NewProvider> = {}): Promise<Registered> =>
  inStore(store.id, (tx) =>
    createIdentityProvider(tx, null, {
      code: 'acme',
      name: 'Acme',
      issuer: provider.issuer,
      clientId: provider.clientId,
      clientSecret: provider.clientSecret,
      scopes: ['email', 'profile'],
      redirectUrls: [REDIRECT_URL],
      audience: 'customers',
      isActive: true,
      position: 0,
      ...given,
    }),
  )
