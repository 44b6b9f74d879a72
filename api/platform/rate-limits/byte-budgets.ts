import type { Context } from 'koa'
import { ByteBudget, type Share } from '#shared/platform/byte-budget.ts'
import { clientNetwork } from '#shared/platform/net/client-network.ts'
import type { Access } from '../auth/access.ts'
import { plainAddress } from '../auth/client-address.ts'

const MIB = 1024 * 1024

/** Counts bytes until the response has been sent. */
const holdUntilSent = (ctx: Context, budget: ByteBudget, bytes: number, shares: readonly Share[]): void =>
  void ctx.res.once('close', budget.hold(bytes, shares))

/** The staff of a store may hold half of a budget; its buyers a quarter, and one network of theirs a sixteenth. */
function sharesOf(ctx: Context, kind: Access['kind'], most: number): Share[] {
  const store = ctx.state.storeId ?? 'none'
  if (kind === 'staff' || kind === 'super_admin') return [{ sender: `staff ${store}`, most: most / 2 }]
  return [
    { sender: `store ${store}`, most: most / 4 },
    { sender: clientNetwork(plainAddress(ctx.ip)), most: most / 16 },
  ]
}

const BODY_BYTES = 32 * MIB
const bodies = new ByteBudget(BODY_BYTES)

/** The bytes of all bodies under way that are read into memory. */
export const heldBytes = (): number => bodies.held

/** Counts a body that is read into memory until its request is answered. Throws 429 `rate_limit.exceeded`. */
export const holdBody = (ctx: Context, bytes: number, kind: Access['kind']): void =>
  holdUntilSent(ctx, bodies, bytes, sharesOf(ctx, kind, BODY_BYTES))

const FILE_BYTES = 1024 * MIB
const files = new ByteBudget(FILE_BYTES)

/**
 * Counts a file that waits on the disk of the process until its request is answered. Throws 429 `rate_limit.exceeded`.
 */
export const holdFile = (ctx: Context, bytes: number): void =>
  holdUntilSent(ctx, files, bytes, [{ sender: String(ctx.state.storeId), most: FILE_BYTES / 4 }])

const RESPONSE_BYTES = 128 * MIB
const responses = new ByteBudget(RESPONSE_BYTES)
// The buffers of a connection hold as much.
const SMALL_RESPONSE = 256 * 1024

/**
 * Counts the response of a read until its client has received it. Throws 429 `rate_limit.exceeded`: responses that
 * nobody fetches would fill the memory.
 */
export function holdResponse(ctx: Context, kind: Access['kind']): void {
  const bytes = ctx.response.length ?? 0
  if (ctx.method !== 'GET' || bytes <= SMALL_RESPONSE) return
  holdUntilSent(ctx, responses, bytes, sharesOf(ctx, kind, RESPONSE_BYTES))
}
