import { generateSecret, generateURI, verifySync } from 'otplib'
import { now, SECOND_MS } from '#shared/platform/time/clock.ts'

const STEP_SECONDS = 30

/** Returns a new secret: 160 random bits in base32. */
export const newSecret = (): string => generateSecret()

/**
 * Returns the `otpauth://` address from which apps read a secret. A colon separates issuer and label, so neither may
 * contain one.
 */
export const secretUri = (secret: string, { issuer, label }: { issuer: string; label: string }): string =>
  generateURI({ secret, issuer: withoutColon(issuer), label: withoutColon(label) })

const withoutColon = (text: string): string => text.replaceAll(':', ' ')

/**
 * Returns the time step of a six-digit code; null for a wrong code. It accepts one step before and after now (RFC 6238,
 * section 5.2).
 */
export function stepOf(secret: string, code: string): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const epoch = Math.floor(now().getTime() / SECOND_MS)
  const result = verifySync({
    secret,
    token: code,
    epoch,
    period: STEP_SECONDS,
    epochTolerance: STEP_SECONDS,
  })
  return result.valid && 'timeStep' in result ? result.timeStep : null
}
