import { CommonErrors } from '../errors.ts'
import { ClientGone, currentCaller } from './caller.ts'

/** The number of connections that one store uses, and its work that waits for one. */
interface StoreConnections {
  used: number
  waiting: (() => void)[]
}

const stores = new Map<string, StoreConnections>()
let limit = { connections: Number.POSITIVE_INFINITY, waitMs: 0 }

/**
 * Limits the connections of this process's pool that one store uses at a time, so that slow statements of one store
 * leave connections to the others. Further work of the store waits up to `waitMs`. The web process sets it; jobs have
 * their own limits.
 */
export function limitStoreConnections(connections: number, waitMs: number): void {
  limit = { connections, waitMs }
}

/** Runs `work`, which uses one connection, within the store's limit. Throws `server.unavailable` after the wait. */
export async function withinConnectionLimit<T>(storeId: string, work: () => Promise<T>): Promise<T> {
  const store = stores.get(storeId) ?? { used: 0, waiting: [] }
  stores.set(storeId, store)
  if (store.used < limit.connections) store.used += 1
  else await waitForConnection(store)
  try {
    return await work()
  } finally {
    // The first that waits gets the connection, so that no later caller takes it.
    const next = store.waiting.shift()
    if (next) next()
    else store.used -= 1
    if (store.used === 0) stores.delete(storeId)
  }
}

function waitForConnection({ waiting }: StoreConnections): Promise<void> {
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
