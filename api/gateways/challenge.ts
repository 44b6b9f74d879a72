import type { CustomFetch } from 'openid-client'
import { Counter } from 'prom-client'
import { config } from '#shared/platform/config/config.ts'
import { log } from '#shared/platform/log.ts'
import { waitBreaker } from '#shared/platform/notify/wait-breaker.ts'
import { publicFetch } from './public-fetch.ts'

/** The provider's verdict on a token. `unknown`: it did not respond in time, or refused the service itself. */
export type ChallengeOutcome = 'passed' | 'failed' | 'unknown'

const TIMEOUT_MS = 3_000

const verifications = new Counter({
  name: 'challenge_verifications_total',
  help: 'Tokens of challenges by the result of their verification',
  labelNames: ['outcome'],
})

const unlessDown = waitBreaker()
let fetch: CustomFetch | undefined

/** Asks the provider whether a token proves that somebody at this address solved its challenge. */
export async function verifyChallenge(token: string, address: string): Promise<ChallengeOutcome> {
  const outcome = await unlessDown<ChallengeOutcome>({
    key: 'challenge',
    wait: () => ask(token, address),
    missed: (result) => result === 'unknown',
    skip: async () => 'unknown',
  })
  verifications.labels(outcome).inc()
  return outcome
}

interface Verdict {
  success?: unknown
  'error-codes'?: unknown
}

async function ask(token: string, address: string): Promise<ChallengeOutcome> {
  const { CHALLENGE_VERIFY_URL = '', CHALLENGE_SECRET = '', ALLOW_LOCAL_HOSTS: allowLocal } = config()
  fetch ??= publicFetch({ allowLocal, timeoutMs: TIMEOUT_MS })
  try {
    const response = await fetch(CHALLENGE_VERIFY_URL, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ secret: CHALLENGE_SECRET, response: token, remoteip: address }),
      redirect: 'manual',
    })
    return outcomeOf((await response.json()) as Verdict)
  } catch (error) {
    log.warn({ err: error }, 'the provider of challenges does not respond')
    return 'unknown'
  }
}

// A wrong secret is the operator's fault. Callers must not suffer from it.
const SECRET_FAULT = /secret/

function outcomeOf({ success, 'error-codes': codes }: Verdict): ChallengeOutcome {
  if (success === true) return 'passed'
  if (success === false && !SECRET_FAULT.test(String(codes))) return 'failed'
  log.error(
    { codes },
    'the provider of challenges refuses the service: see CHALLENGE_SECRET and CHALLENGE_VERIFY_URL',
  )
  return 'unknown'
}
