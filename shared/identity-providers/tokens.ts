import { opaqueTokens } from '#shared/platform/secrets/opaque-token.ts'

/** The `state` of a sign-in under way: a provider sends browsers back to one address for all stores. */
export const states = opaqueTokens('cx_os_')

/** One-time codes. */
export const codes = opaqueTokens('cx_oc_')
