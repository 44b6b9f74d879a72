import type { Context } from 'koa'
import { CommonErrors } from '#shared/platform/errors.ts'
import { RequestErrors } from '../output/errors.ts'

/** The bodies of one process that are being read and handled hold at most so many bytes. */
const MAX_BYTES = 32 * 1024 * 1024

// A body must arrive at this pace after a start, so that slow senders do not hold the budget.
const START_MS = 10_000
const BYTES_PER_MS = 16

let held = 0

/**
 * Counts a body of so many bytes until its request has been answered. Throws 429 `rate_limit.exceeded` when the bodies under
 * way are too large together.
 */
export function holdBytes(ctx: Context, bytes: number): void {
  if (held + bytes > MAX_BYTES) throw CommonErrors.rateLimited({ retryAfter: 1 })
  held += bytes
  ctx.res.once('close', () => {
    held -= bytes
  })
}

/** The bytes of all bodies under way. */
export const heldBytes = (): number => held

/** Reads a body of at most so many bytes, which must not arrive too slowly. Throws `request.malformed` when it does. */
export async function readAtPace<T>(ctx: Context, bytes: number, read: () => Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => {
      // The rest of the body would keep the connection busy after the response.
      ctx.set('Connection', 'close')
      late.reject(RequestErrors.malformed({ why: 'its body arrives too slowly' }))
    },
    START_MS + bytes / BYTES_PER_MS,
  )
  try {
    return await Promise.race([read(), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
