/** The facts by which an operation decides whether a caller must solve a challenge. */
export interface ChallengeFacts {
  /** The request has used more than half of one of the operation's exact limits. */
  isNearLimit: boolean
  /** The network of the caller's address. */
  network: string
  /** The checked body. */
  body: unknown
}

/** Whether a caller must solve a challenge, if the operator has set one up. */
export type ChallengeRule = (facts: ChallengeFacts) => boolean | Promise<boolean>

/** Asks for a challenge after half of one of the operation's exact limits. */
export const nearLimit: ChallengeRule = ({ isNearLimit }) => isNearLimit
