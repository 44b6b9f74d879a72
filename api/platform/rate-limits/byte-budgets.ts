import type { Context } from 'koa'
import type { Access } from '#api/platform/auth/access.ts'
import { addressesOf } from '#api/platform/auth/request-addresses.ts'
import { ByteBudget, type Reservation, type Share } from '#shared/platform/byte-budget.ts'
import { log } from '#shared/platform/log.ts'

const MIB = 1024 * 1024

/** Reserves bytes until the response has been sent. */
const reserveUntilSent = (ctx: Context, budget: ByteBudget, bytes: number, shares: readonly Share[]): void =>
  endWhenSent(ctx, budget.reserve(bytes, shares))

/**
 * Runs `end` when the response has been sent. If the client has disconnected before, it runs immediately, because the
 * `close` event was already emitted.
 */
function endWhenSent({ res }: Context, end: () => void): void {
  if (res.destroyed) end()
  else res.once('close', end)
}

/**
 * Returns the shares of a budget. The staff of a store may use half of it, its buyers a quarter, and one network a
 * sixteenth. Callers without a store, e.g. staff who sign in or the payment gateway, have only the share of their
 * network.
 */
function sharesOf(ctx: Context, kind: Access['kind'], maxBytes: number): Share[] {
  const { storeId } = ctx.state
  if (kind === 'staff' || kind === 'super_admin')
    return [{ sender: `staff ${storeId ?? 'none'}`, maxBytes: maxBytes / 2 }]
  const network = { sender: addressesOf(ctx.req).network, maxBytes: maxBytes / 16 }
  return storeId ? [{ sender: `store ${storeId}`, maxBytes: maxBytes / 4 }, network] : [network]
}

const BODY_BYTES = 32 * MIB
const bodies = new ByteBudget(BODY_BYTES)

/** Returns the bytes of all request bodies in the memory of this process. */
export const reservedBytes = (): number => bodies.reserved

/**
 * Begins to reserve the bytes of a body that is read into memory, until its request is answered. It counts the bytes
 * that have arrived, not the announced length. Otherwise clients could fill the budget with bodies that they never
 * send.
 */
export function beginBody(ctx: Context, kind: Access['kind']): Reservation {
  const reservation = bodies.begin(sharesOf(ctx, kind, BODY_BYTES))
  endWhenSent(ctx, reservation.end)
  return reservation
}

const FILE_BYTES = 1024 * MIB
const files = new ByteBudget(FILE_BYTES)

/** Begins to reserve the bytes of a file on the disk of the process, as they arrive, until its request is answered. */
export function beginFile(ctx: Context): Reservation {
  const reservation = files.begin([{ sender: String(ctx.state.storeId), maxBytes: FILE_BYTES / 4 }])
  endWhenSent(ctx, reservation.end)
  return reservation
}

/** Returns the bytes of all uploaded files on the disk of this process. */
export const reservedFileBytes = (): number => files.reserved

const RESPONSE_BYTES = 128 * MIB
const reads = new ByteBudget(RESPONSE_BYTES)
// A budget of its own, so that reads of one store leave room for the responses to changes of others.
const changes = new ByteBudget(RESPONSE_BYTES)
// A smaller response is not counted, because the socket buffers of its connection take that much anyway. Further ones,
// which wait for the first one of the connection, are counted.
const SMALL_RESPONSE = 256 * 1024

/** Returns the bytes of all responses that this process holds for their clients. */
export const reservedResponseBytes = (): number => reads.reserved + changes.reserved

/**
 * Reserves the bytes of a response until its client has received it. Otherwise clients that never read would fill the
 * memory. Throws 429 `rate_limit.exceeded` for a read. A change is already made: its connection closes without the
 * response, which a repeat with the same Idempotency-Key gets.
 */
export function reserveResponse(ctx: Context, kind: Access['kind']): void {
  const bytes = ctx.response.length ?? 0
  if (ctx.method === 'HEAD' || (bytes <= SMALL_RESPONSE && !waitsForEarlier(ctx))) return
  const shares = sharesOf(ctx, kind, RESPONSE_BYTES)
  if (ctx.method === 'GET') reserveUntilSent(ctx, reads, bytes, shares)
  else reserveOrClose(ctx, bytes, shares)
}

function reserveOrClose(ctx: Context, bytes: number, shares: readonly Share[]): void {
  try {
    reserveUntilSent(ctx, changes, bytes, shares)
  } catch (error) {
    log.warn({ err: error, requestId: ctx.state.requestId }, 'no room for the response to a change')
    ctx.respond = false
    ctx.req.socket.destroy()
  }
}

/** Whether the response waits until its connection has sent the responses of earlier, pipelined requests. */
const waitsForEarlier = ({ res }: Context): boolean => res.socket === null
