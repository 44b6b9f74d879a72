import { randomBytes } from 'node:crypto'
import { defineSecrets } from '#shared/platform/secrets/secrets.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { Webhook } from './webhook.ts'

/** Makes a signing secret in the format of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export const makeSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

export const webhookSecrets = defineSecrets(
  'signing secrets of webhooks',
  { scope: 'store', table: 'webhooks', columns: ['secret_sealed', 'previous_secret_sealed'] },
  ({ id }: Pick<Webhook, 'id'>) => `webhook ${id}`,
)

export const sealSecret = (secret: string, webhookId: string): string =>
  webhookSecrets.of({ id: webhookId }).seal(secret)

type Sealed = Pick<Webhook, 'id' | 'secretSealed' | 'previousSecretSealed' | 'previousSecretUntil'>

/** Returns the secrets to sign with: the current one and, for a day after a rotation, the previous one. */
export function openSecrets(webhook: Sealed): string[] {
  const { secretSealed, previousSecretSealed, previousSecretUntil } = webhook
  const usesPrevious = previousSecretSealed && previousSecretUntil && previousSecretUntil > now()
  return [secretSealed, ...(usesPrevious ? [previousSecretSealed] : [])].map(webhookSecrets.of(webhook).open)
}
