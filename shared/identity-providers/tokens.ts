import { rowTokens } from '#shared/platform/secrets/opaque-token.ts'

/** The `state` of a sign-in under way: a provider sends browsers back to one address for all stores. */
export const states = rowTokens('cx_os_')

/** One-time codes. */
export const codes = rowTokens('cx_oc_')
