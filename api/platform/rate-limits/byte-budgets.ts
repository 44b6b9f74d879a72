import type { Context } from 'koa'
import type { Access } from '#api/platform/auth/access.ts'
import { plainAddress } from '#api/platform/auth/client-address.ts'
import { ByteBudget, type Holding, type Share } from '#shared/platform/byte-budget.ts'
import { clientNetwork } from '#shared/platform/net/client-network.ts'

const MIB = 1024 * 1024

/** Counts bytes until the response has been sent. */
const holdUntilSent = (ctx: Context, budget: ByteBudget, bytes: number, shares: readonly Share[]): void =>
  endWhenSent(ctx, budget.hold(bytes, shares))

/**
 * Runs `end` when the response has been sent. If the client has disconnected before, it runs immediately, because the
 * `close` event was already emitted.
 */
function endWhenSent({ res }: Context, end: () => void): void {
  if (res.destroyed) end()
  else res.once('close', end)
}

/**
 * Returns the shares of a budget. The staff of a store may hold half of it, its buyers a quarter, and one network a
 * sixteenth. Callers without a store, e.g. staff who sign in or the payment gateway, have only the share of their
 * network.
 */
function sharesOf(ctx: Context, kind: Access['kind'], most: number): Share[] {
  const { storeId } = ctx.state
  if (kind === 'staff' || kind === 'super_admin')
    return [{ sender: `staff ${storeId ?? 'none'}`, most: most / 2 }]
  const network = { sender: clientNetwork(plainAddress(ctx.ip)), most: most / 16 }
  return storeId ? [{ sender: `store ${storeId}`, most: most / 4 }, network] : [network]
}

const BODY_BYTES = 32 * MIB
const bodies = new ByteBudget(BODY_BYTES)

/** Returns the bytes of all request bodies that this process holds in memory. */
export const heldBytes = (): number => bodies.held

/** Counts a raw body of this length until its request is answered. Throws 429 `rate_limit.exceeded`. */
export const holdBody = (ctx: Context, bytes: number, kind: Access['kind']): void =>
  holdUntilSent(ctx, bodies, bytes, sharesOf(ctx, kind, BODY_BYTES))

/**
 * Begins to count a body that is read into memory, until its request is answered. It counts the bytes that have
 * arrived, not the announced length. Otherwise clients could fill the budget with bodies that they never send.
 */
export function beginBody(ctx: Context, kind: Access['kind']): Holding {
  const holding = bodies.begin(sharesOf(ctx, kind, BODY_BYTES))
  endWhenSent(ctx, holding.end)
  return holding
}

const FILE_BYTES = 1024 * MIB
const files = new ByteBudget(FILE_BYTES)

/** Counts a file on the disk of the process until its response has been sent. Throws 429 `rate_limit.exceeded`. */
export const holdFile = (ctx: Context, bytes: number): void =>
  holdUntilSent(ctx, files, bytes, [{ sender: String(ctx.state.storeId), most: FILE_BYTES / 4 }])

const RESPONSE_BYTES = 128 * MIB
const responses = new ByteBudget(RESPONSE_BYTES)
// Smaller responses are not counted, because the buffers of a connection hold as much.
const SMALL_RESPONSE = 256 * 1024

/**
 * Counts the response of a read until its client has received it. Throws 429 `rate_limit.exceeded`, because responses
 * that nobody fetches would fill the memory.
 */
export function holdResponse(ctx: Context, kind: Access['kind']): void {
  const bytes = ctx.response.length ?? 0
  if (ctx.method !== 'GET' || bytes <= SMALL_RESPONSE) return
  holdUntilSent(ctx, responses, bytes, sharesOf(ctx, kind, RESPONSE_BYTES))
}
