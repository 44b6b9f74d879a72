import { type OpaqueToken, opaqueTokens } from '#shared/platform/secrets/opaque-token.ts'

/** A token of a mailed link that somebody presents. */
export type LinkToken = OpaqueToken

const linkTokens = opaqueTokens('cx_ln_')

/** The token of a mailed link. */
export const makeLinkToken = linkTokens.make

/** Reads the token of a mailed link; null when it has not the form of one. */
export const readLinkToken = linkTokens.read
