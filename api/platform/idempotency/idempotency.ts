import { createHash } from 'node:crypto'
import type { Context } from 'koa'
import type { Operation } from '#api/platform/operation/operation.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { CodedError } from '#shared/platform/errors.ts'
import { releaseClaim } from '#shared/platform/idempotency/claim-key.ts'
import { IdempotencyErrors } from '#shared/platform/idempotency/errors.ts'
import type { KeyedRequest } from '#shared/platform/idempotency/idempotency-key.ts'
import { recordError } from '#shared/platform/idempotency/record-response.ts'
import { limitStoredBytes, type StoringSender } from '#shared/platform/throttle/limit-stored-bytes.ts'

/** Returns the request's Idempotency-Key; null if it has none or the operation ignores it. */
export function keyOf(ctx: Context, operation: Operation): string | null {
  const key = ctx.get('Idempotency-Key')
  if (operation.idempotency === 'none') return null
  if (!key && operation.idempotency === 'required') throw IdempotencyErrors.required()
  if (key && !/^[\x21-\x7e]{1,255}$/.test(key)) throw IdempotencyErrors.malformed()
  return key || null
}

/** Returns the hash of the URL and the validated body, by which a repeat is recognized. */
export const hashRequest = (url: string, body: unknown): Buffer =>
  createHash('sha256')
    .update(url)
    .update('\0')
    .update(JSON.stringify(body ?? null))
    .digest()

/**
 * Stores the error response of a failed request. If a repeat may succeed, or the sender has stored too much, releases
 * the key instead.
 */
export async function recordFailure(
  request: KeyedRequest,
  error: unknown,
  { text, by }: { text: string; by: StoringSender },
): Promise<void> {
  const isFinal = error instanceof CodedError && error.status < 500 && ![401, 429].includes(error.status)
  if (!isFinal) return releaseClaim(request)
  const response = { status: error.status, text }
  await inStore(request.storeId, async (tx) => {
    limitStoredBytes(tx, by)
    await recordError(tx, request, response)
  }).catch(() => releaseClaim(request))
}
