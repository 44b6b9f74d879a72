import { randomBytes } from 'node:crypto'
import { now } from '../platform/clock.ts'
import { seal, unseal } from '../platform/crypto.ts'
import type { WebhookEndpoint } from './endpoint.ts'

/** A new signing secret, in the notation of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export const makeSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

const context = (endpointId: string): string => `webhook ${endpointId}`

export const sealSecret = (secret: string, endpointId: string): string => seal(secret, context(endpointId))

type Sealed = Pick<WebhookEndpoint, 'id' | 'secretSealed' | 'previousSecretSealed' | 'previousSecretUntil'>

/** The secrets to sign with now: the current one, and for a day after a rotation the one before it. */
export function openSecrets(endpoint: Sealed): string[] {
  const { id, secretSealed, previousSecretSealed, previousSecretUntil } = endpoint
  const isKept = previousSecretSealed && previousSecretUntil && previousSecretUntil > now()
  return [secretSealed, ...(isKept ? [previousSecretSealed] : [])].map((sealed) =>
    unseal(sealed, context(id)),
  )
}
