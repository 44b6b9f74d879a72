import { generateSecret, generateURI, verifySync } from 'otplib'
import { now, SECOND_MS } from '#shared/platform/time/clock.ts'

const STEP_SECONDS = 30

/** A new secret: 160 random bits in base32. */
export const newSecret = (): string => generateSecret()

/** The `otpauth://` address that apps take a secret from. A colon parts issuer and label, so neither may hold one. */
export const secretUri = (secret: string, { issuer, label }: { issuer: string; label: string }): string =>
  generateURI({ secret, issuer: withoutColon(issuer), label: withoutColon(label) })

const withoutColon = (text: string): string => text.replaceAll(':', ' ')

/** The time step of a six-digit code, at most one from now (RFC 6238, section 5.2). Null for a wrong code. */
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
