import { createIdentityProvider } from '#shared/identity-providers/create-identity-provider.ts'
import { IdentityProvider } from '#shared/identity-providers/identity-provider.ts'
import { callbackUrl } from '#shared/identity-providers/redirect-url.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { CLIENT } from '#test/sandbox/identity-provider.ts'

/** The demo store whose customers can sign in with the sandbox's identity provider. */
export const SIGNED_IN_STORE = 'harbor'
const CODE = 'sandbox'

/** The sandbox's URLs: at its own address, and at the store's domain. */
const addresses = (baseUrl: string): string[] => [
  baseUrl,
  baseUrl.replace('localhost', `${SIGNED_IN_STORE}.localhost`),
]

/** The redirect URLs that the provider accepts, with any id in place of `*`. */
export const callbackUrls = (baseUrl: string): string[] =>
  addresses(baseUrl).map((address) => callbackUrl(address, '*'))

/** Registers the provider with the store, again if its address has changed since the last start. */
export const offerSignIn = (storeId: string, baseUrl: string, issuer: string): Promise<void> =>
  inStore(storeId, async (tx) => {
    const known = await IdentityProvider.in(tx).findOne({ code: CODE })
    if (known?.issuer === issuer) return
    if (known) await IdentityProvider.in(tx).deleteById(known.id)
    const provider = {
      code: CODE,
      name: 'Sandbox',
      issuer,
      clientId: CLIENT.id,
      clientSecret: CLIENT.secret,
      scopes: ['email', 'profile'],
      redirectUrls: addresses(baseUrl).map((address) => `${address}/signed-in`),
      audience: 'customers' as const,
      isActive: true,
      position: 0,
    }
    await createIdentityProvider(tx, null, provider)
  })
