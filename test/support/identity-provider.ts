import { after } from 'node:test'
import './database.ts'
import { createProvider, type NewProvider } from '#shared/identity-providers/create-provider.ts'
import type { IdentityProvider as Registered } from '#shared/identity-providers/identity-provider.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { type IdentityProvider, type Person, startIdentityProvider } from '#test/sandbox/identity-provider.ts'
import { baseUrl } from './app.ts'
import { nextNumber } from './build.ts'

// Importing this file gives the test file an identity provider of its own.

export const REDIRECT_URL = 'https://shop.example.test/signed-in?from=provider'

/** The codes that the test file's stores may give the provider: each leads back to another address of ours. */
const CODES = ['acme', 'second', 'office']

export const provider: IdentityProvider = await startIdentityProvider({
  redirectUrls: CODES.map((code) => `${baseUrl}/api/v1/auth/oauth/${code}/callback`),
})
after(() => provider.stop())

/** Somebody whom the provider knows, with a verified address unless told otherwise. */
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

/** Lets a store's customers sign in by the provider, as `acme`, unless told otherwise. */
export const buildProvider = (store: { id: string }, given: Partial<NewProvider> = {}): Promise<Registered> =>
  inStore(store.id, (tx) =>
    createProvider(tx, {
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
