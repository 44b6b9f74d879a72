/** Where a provider sends browsers back to, at an address that the service answers at. */
export const callbackUrl = (base: string, code: string): string =>
  `${base.replace(/\/$/, '')}/api/v1/auth/oauth/${code}/callback`
