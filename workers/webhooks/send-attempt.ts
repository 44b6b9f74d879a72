import { parseRetryAfter } from '#shared/platform/net/parse-retry-after.ts'
import { now, SECOND_MS } from '#shared/platform/time/clock.ts'
import { type AttemptResult, isSuccess } from '#shared/webhooks/attempts/attempt.ts'
import { signedHeaders } from '#shared/webhooks/attempts/signed-headers.ts'
import type { DeliveryOfJob } from '#shared/webhooks/deliveries/find-delivery-of-job.ts'
import { openSecrets } from '#shared/webhooks/secret.ts'
import { TIMEOUT_MS, type WebhookGateway } from '#workers/gateways/webhook-http.ts'

/** A delivery with the body of its event. */
export type DeliveryToSend = Pick<DeliveryOfJob, 'webhook'> & { event: { id: string; body: string } }

/**
 * Sends an event to its webhook once. A network error is a result too. Throws if the worker is stopping, so that
 * another worker repeats the attempt. Throws `UnsealError` if the secret cannot be decrypted.
 */
export async function sendAttempt(
  { event, webhook }: DeliveryToSend,
  gateway: WebhookGateway,
  signal: AbortSignal,
): Promise<AttemptResult> {
  // Open the secrets outside `try`, because a secret that cannot be decrypted is not the receiver's failure.
  const secrets = openSecrets(webhook)
  const at = now()
  const started = performance.now()
  const elapsedMs = () => Math.round(performance.now() - started)
  try {
    const headers = signedHeaders({ id: event.id, at, body: event.body }, secrets)
    const { statusCode, excerpt, retryAfter } = await gateway.post(webhook.url, headers, event.body, signal)
    const responded = { at, statusCode, durationMs: elapsedMs(), responseExcerpt: excerpt, error: null }
    if (isSuccess(responded)) return { ...responded, retryAfterMs: null }
    return {
      ...responded,
      error: `responded with ${statusCode}`,
      retryAfterMs: parseRetryAfter(retryAfter, at),
    }
  } catch (error) {
    signal.throwIfAborted()
    return {
      at,
      statusCode: null,
      durationMs: elapsedMs(),
      error: describeError(error),
      responseExcerpt: null,
      retryAfterMs: null,
    }
  }
}

const MAX_ERROR_LENGTH = 300

/** Describes a network error in a text that can be stored and shown. */
function describeError(error: unknown): string {
  const { name, message, code } = error as Partial<Record<'name' | 'message' | 'code', string>>
  if (name === 'TimeoutError') return `no complete response within ${TIMEOUT_MS / SECOND_MS} seconds`
  const text = code && !message?.includes(code) ? `${code}: ${message}` : (message ?? String(error))
  return text
    .replace(/\p{Cc}/gu, ' ')
    .toWellFormed()
    .slice(0, MAX_ERROR_LENGTH)
}
