import type { Context } from 'koa'
import { CommonErrors } from '#shared/platform/errors.ts'
import { clientNetwork } from '#shared/platform/net/client-network.ts'
import type { Access } from '../auth/access.ts'
import { plainAddress } from '../auth/client-address.ts'

const MIB = 1024 * 1024

/** The bytes that one sender may hold. */
interface Share {
  sender: string
  most: number
}

/**
 * The bytes that a process may hold for the requests under way. No sender may hold all of them: others could send nothing
 * then.
 */
export class ByteBudget {
  readonly #most: number
  readonly #bySender = new Map<string, number>()
  #held = 0

  constructor(most: number) {
    this.#most = most
  }

  /** The bytes of all requests under way. */
  get held(): number {
    return this.#held
  }

  /** Counts so many bytes until the request is answered. Throws 429 `rate_limit.exceeded` when they are too many. */
  hold(ctx: Context, bytes: number, shares: readonly Share[]): void {
    const isFull = ({ sender, most }: Share) => this.#of(sender) + bytes > most
    if (this.#held + bytes > this.#most || shares.some(isFull))
      throw CommonErrors.rateLimited({ retryAfter: 1 })
    this.#add(bytes, shares)
    ctx.res.once('close', () => this.#add(-bytes, shares))
  }

  #of(sender: string): number {
    return this.#bySender.get(sender) ?? 0
  }

  #add(bytes: number, shares: readonly Share[]): void {
    this.#held += bytes
    for (const { sender } of shares) {
      const held = this.#of(sender) + bytes
      if (held > 0) this.#bySender.set(sender, held)
      else this.#bySender.delete(sender)
    }
  }
}

const BODY_BYTES = 32 * MIB
const bodies = new ByteBudget(BODY_BYTES)

/** The bytes of all bodies under way that are read into memory. */
export const heldBytes = (): number => bodies.held

/** The staff of a store may hold half of the budget; its buyers a quarter, and one network of theirs two MiB. */
function sharesOf(ctx: Context, kind: Access['kind']): Share[] {
  const store = ctx.state.storeId ?? 'none'
  if (kind === 'staff' || kind === 'super_admin') return [{ sender: `staff ${store}`, most: BODY_BYTES / 2 }]
  return [
    { sender: `store ${store}`, most: BODY_BYTES / 4 },
    { sender: clientNetwork(plainAddress(ctx.ip)), most: BODY_BYTES / 16 },
  ]
}

/** Counts a body that is read into memory until its request is answered. Throws 429 `rate_limit.exceeded`. */
export const holdBody = (ctx: Context, bytes: number, kind: Access['kind']): void =>
  bodies.hold(ctx, bytes, sharesOf(ctx, kind))

const FILE_BYTES = 1024 * MIB
const files = new ByteBudget(FILE_BYTES)

/** Counts a file that waits on the disk of the process until its request is answered. Throws 429 `rate_limit.exceeded`. */
export const holdFile = (ctx: Context, bytes: number): void =>
  files.hold(ctx, bytes, [{ sender: String(ctx.state.storeId), most: FILE_BYTES / 4 }])
