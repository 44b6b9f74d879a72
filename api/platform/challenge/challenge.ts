import type { Context } from 'koa'
import { verifyChallenge } from '#api/gateways/challenge.ts'
import { addressesOf } from '#api/platform/auth/request-addresses.ts'
import { config } from '#shared/platform/config/config.ts'
import { networkOfAddress } from '#shared/platform/net/network-of-address.ts'
import type { ChallengeFacts, ChallengeRule } from './challenge-rule.ts'
import { ChallengeErrors } from './errors.ts'

/** The request header with the token of a solved challenge. */
export const CHALLENGE_HEADER = 'Challenge-Response'
/** The response header with the site key. A storefront needs it to show the challenge. */
export const SITE_KEY_HEADER = 'Challenge-Site-Key'

// Far above the tokens of the known providers.
export const MAX_TOKEN_LENGTH = 4_096

/**
 * Throws `challenge.required` if the operation asks for a challenge, and the request has no token that the provider
 * accepts. If the provider does not respond, callers pass, so that its outage closes no shop. The limits still apply.
 */
export async function assertChallenge(
  ctx: Context,
  { challenge }: { challenge?: ChallengeRule },
  facts: Pick<ChallengeFacts, 'isNearLimit' | 'body'>,
): Promise<void> {
  const { CHALLENGE_VERIFY_URL, CHALLENGE_SITE_KEY: siteKey } = config()
  if (!challenge || !CHALLENGE_VERIFY_URL || !siteKey) return
  const address = addressesOf(ctx.req).ip
  if (!(await challenge({ ...facts, network: networkOfAddress(address) }))) return
  const token = ctx.get(CHALLENGE_HEADER)
  const isSent = token !== '' && token.length <= MAX_TOKEN_LENGTH
  if (isSent && (await verifyChallenge(token, address)) !== 'failed') return
  ctx.set(SITE_KEY_HEADER, siteKey)
  throw ChallengeErrors.required({ siteKey })
}
