/** Loaded by the first sign-in of its kind: few stores have a provider, and the client and its HTTP are large. */
export const loadIdentityProvider = () => import('./identity-provider.ts')
