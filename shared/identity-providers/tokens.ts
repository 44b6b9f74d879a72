import { opaqueTokens } from '#shared/platform/secrets/opaque-token.ts'

/** The `state` of an authorization. It names the store, because stores share the address of the service. */
export const stateTokens = opaqueTokens('cx_os_')

/** One-time codes. */
export const codeTokens = opaqueTokens('cx_oc_')
