import { createHmac } from 'node:crypto'

/** A message to sign: the event's id, the time of the attempt, and the exact body. */
export interface Message {
  id: string
  at: Date
  body: string
}

/**
 * Returns the headers of Standard Webhooks (standardwebhooks.com): HMAC-SHA256 over `id.timestamp.body`, once per
 * secret, so that a receiver with either the old or the new one can verify it.
 */
export function signedHeaders({ id, at, body }: Message, secrets: string[]): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1_000)
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
}
