import { CommonErrors } from '../errors.ts'
import { ClientGone, currentCaller } from './caller.ts'

/** The connections that one store uses, and its work that waits for one. */
interface Share {
  used: number
  waiting: (() => void)[]
}

const shares = new Map<string, Share>()
let limit = { connections: Number.POSITIVE_INFINITY, waitMs: 0 }

/**
 * Limits each store to so many connections of this process's pool at a time, so that the slow statements of one store leave
 * connections to the others. More work of the store waits up to `waitMs`. The web process does; jobs have limits of their own.
 */
export function limitShares(connections: number, waitMs: number): void {
  limit = { connections, waitMs }
}

/** Runs `work`, which uses one connection, within the store's share. Throws `server.unavailable` after the wait. */
export async function withinShare<T>(storeId: string, work: () => Promise<T>): Promise<T> {
  const share = shares.get(storeId) ?? { used: 0, waiting: [] }
  shares.set(storeId, share)
  if (share.used < limit.connections) share.used += 1
  else await turn(share)
  try {
    return await work()
  } finally {
    // A place passes to the first that waits, so that no later caller takes it.
    const next = share.waiting.shift()
    if (next) next()
    else share.used -= 1
    if (share.used === 0) shares.delete(storeId)
  }
}

function turn({ waiting }: Share): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = (why: Error) => {
      settle()
      waiting.splice(waiting.indexOf(begin), 1)
      reject(why)
    }
    const begin = () => {
      settle()
      resolve()
    }
    const timer = setTimeout(() => giveUp(CommonErrors.unavailable({ retryAfter: 1 })), limit.waitMs)
    const stop = currentCaller()?.onLeave(() => giveUp(new ClientGone()))
    const settle = () => {
      clearTimeout(timer)
      stop?.()
    }
    waiting.push(begin)
  })
}
