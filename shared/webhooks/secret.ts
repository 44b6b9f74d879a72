import { randomBytes } from 'node:crypto'
import { defineSecrets } from '#shared/platform/secrets/secrets.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { WebhookEndpoint } from './endpoint.ts'

/** Makes a signing secret in the format of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export const makeSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

export const webhookSecrets = defineSecrets(
  'signing secrets of webhooks',
  { scope: 'store', table: 'webhook_endpoints', columns: ['secret_sealed', 'previous_secret_sealed'] },
  ({ id }: Pick<WebhookEndpoint, 'id'>) => `webhook ${id}`,
)

export const sealSecret = (secret: string, endpointId: string): string =>
  webhookSecrets.of({ id: endpointId }).seal(secret)

type Sealed = Pick<WebhookEndpoint, 'id' | 'secretSealed' | 'previousSecretSealed' | 'previousSecretUntil'>

/** The secrets to sign with: the current one and, for a day after a rotation, the previous one. */
export function openSecrets(endpoint: Sealed): string[] {
  const { secretSealed, previousSecretSealed, previousSecretUntil } = endpoint
  const usesPrevious = previousSecretSealed && previousSecretUntil && previousSecretUntil > now()
  return [secretSealed, ...(usesPrevious ? [previousSecretSealed] : [])].map(webhookSecrets.of(endpoint).open)
}
