import { now } from '#shared/platform/time/clock.ts'
import { type AttemptResult, isSuccess } from '#shared/webhooks/attempt.ts'
import type { DueDelivery } from '#shared/webhooks/find-due-delivery.ts'
import { readRetryAfter } from '#shared/webhooks/retry-schedule.ts'
import { openSecrets } from '#shared/webhooks/secret.ts'
import { signedHeaders } from '#shared/webhooks/sign.ts'
import type { WebhookGateway } from '#workers/gateways/webhook-http.ts'

/**
 * Sends an event to its endpoint once. Whatever goes wrong on the way is a result, too. It throws in a worker that is
 * being stopped, whose attempt another one makes anew, and `UnsealError` for a secret that does not open.
 */
export async function attempt(
  { event, endpoint }: DueDelivery,
  gateway: WebhookGateway,
  signal: AbortSignal,
): Promise<AttemptResult> {
  // Outside `try`: a secret that does not open is no failure of the receiver's.
  const secrets = openSecrets(endpoint)
  const at = now()
  const started = performance.now()
  const took = () => Math.round(performance.now() - started)
  try {
    const headers = signedHeaders({ id: event.id, at, body: event.body }, secrets)
    const { statusCode, excerpt, retryAfter } = await gateway.post(endpoint.url, headers, event.body, signal)
    const answered = { at, statusCode, durationMs: took(), responseExcerpt: excerpt, error: null }
    if (isSuccess(answered)) return { ...answered, retryAfterMs: null }
    return { ...answered, error: `answered ${statusCode}`, retryAfterMs: readRetryAfter(retryAfter, at) }
  } catch (error) {
    signal.throwIfAborted()
    return {
      at,
      statusCode: null,
      durationMs: took(),
      error: why(error),
      responseExcerpt: null,
      retryAfterMs: null,
    }
  }
}

const LONGEST = 300

/** Why there was no answer, in words that can be kept and shown. */
function why(error: unknown): string {
  const { name, message, code } = error as Partial<Record<'name' | 'message' | 'code', string>>
  if (name === 'TimeoutError') return 'no complete answer within 15 seconds'
  const text = code && !message?.includes(code) ? `${code}: ${message}` : (message ?? String(error))
  return text
    .replace(/\p{Cc}/gu, ' ')
    .toWellFormed()
    .slice(0, LONGEST)
}
