import { opaqueTokens } from '#shared/platform/secrets/opaque-token.ts'

/** The `state` of an authorization. It names the store, because all stores share one callback URL. */
export const states = opaqueTokens('cx_os_')

/** One-time codes. */
export const codes = opaqueTokens('cx_oc_')
