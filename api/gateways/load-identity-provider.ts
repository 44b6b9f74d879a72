/** Loads the OpenID client at its first use, because it is large and few stores have a provider. */
export const loadIdentityProvider = () => import('./identity-provider.ts')
