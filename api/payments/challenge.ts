import type { ChallengeRule } from '#api/platform/challenge/challenge-rule.ts'
import { isNearDeclineLimit } from '#shared/payments/open/card-testing.ts'

/** Asks for a challenge after half of the declined cards that a network may have. */
export const nearDeclineLimit: ChallengeRule = ({ network }) => isNearDeclineLimit(network)
