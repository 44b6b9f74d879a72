import { AsyncLocalStorage } from 'node:async_hooks'
import { CommonErrors } from '#shared/platform/errors.ts'
import { beginWait, countTimeout } from './connection-waits.ts'
import { ClientGone, currentClient } from './waiting-client.ts'

/** The number of connections that a store uses, and its work that waits for a connection. */
interface StoreConnections {
  used: number
  waiting: (() => void)[]
  /** Whether it may also use the connections that are reserved for stores without one. */
  usesReserve: boolean
}

interface ConnectionLimit {
  /** The most connections of one store. */
  perStore: number
  /** While all stores together use this many, only a store without a connection gets one. */
  shared: number
  /** The longest that work waits for a connection. */
  waitMs: number
  /** Returns the error of work that has waited so long. */
  timeout: () => Error
}

/** Stands for a store in the limits of changes outside the stores, such as counts of quotas. All stores need them. */
const PLATFORM = 'platform'

const stores = new Map<string, StoreConnections>()
/** The number of connections that all stores use. */
let used = 0
/** The limit of processes that set none. */
export const UNLIMITED: ConnectionLimit = {
  perStore: Number.POSITIVE_INFINITY,
  shared: Number.POSITIVE_INFINITY,
  waitMs: 0,
  timeout: () => new Error('Without a limit no work waits'),
}
let limit = UNLIMITED

/**
 * Limits how many connections of this process's pool the stores use at a time, so that slow statements of some stores
 * leave connections to the others and to the platform. Further work waits up to `waitMs`.
 */
export function limitStoreConnections(newLimit: ConnectionLimit): void {
  limit = newLimit
}

/** Returns the error of a request that waited too long. */
const unavailable = () => CommonErrors.unavailable({ retryAfter: 1 })

/**
 * Returns the limits of a pool: half of it for one store, and a quarter reserved for stores without a connection.
 * Requests fail with `server.unavailable` after the wait.
 */
export const limitOfPool = (
  connections: number,
  waitMs: number,
  timeout: () => Error = unavailable,
): ConnectionLimit => ({
  perStore: Math.ceil(connections / 2),
  shared: connections - Math.floor(connections / 4),
  waitMs,
  timeout,
})

/** The connection of a store that `holdConnection` counts for all work below it. */
interface HeldConnection {
  storeId: string
  isHeld: boolean
}

const held = new AsyncLocalStorage<HeldConnection>()

/** Whether the next work of a store gets a connection without waiting for other work. */
export function hasFreeConnection(storeId: string): boolean {
  const store = stores.get(storeId)
  return store === undefined || mayUseConnection(store)
}

/**
 * Runs `work` within the limits before it uses a connection, so that it does not wait later. It may use one connection
 * of the store at a time.
 */
export const holdConnection = <T>(storeId: string, work: () => Promise<T>): Promise<T> =>
  withinConnectionLimit(storeId, async () => {
    const connection = { storeId, isHeld: true }
    try {
      return await held.run(connection, work)
    } finally {
      connection.isHeld = false
    }
  })

/**
 * Runs a change outside the stores. These changes use half of the pool at most, so that their waits for locks leave
 * connections to all else; they do not wait for connections that stores use. Throws the error of the limit.
 */
export const withinPlatformLimit = <T>(work: () => Promise<T>): Promise<T> =>
  withinConnectionLimit(PLATFORM, work)

/** Runs `work`, which uses one connection, within the limits. Throws the error of the limit after the wait. */
export async function withinConnectionLimit<T>(storeId: string, work: () => Promise<T>): Promise<T> {
  const own = held.getStore()
  if (own?.isHeld && own.storeId === storeId) return work()
  const store = stores.get(storeId) ?? { used: 0, waiting: [], usesReserve: storeId === PLATFORM }
  stores.set(storeId, store)
  if (mayUseConnection(store)) take(store)
  else await waitForConnection(store)
  try {
    return await work()
  } finally {
    store.used -= 1
    used -= 1
    passOn()
    if (store.used === 0 && store.waiting.length === 0) stores.delete(storeId)
  }
}

const mayUseConnection = (store: StoreConnections): boolean =>
  store.used === 0 || (store.used < limit.perStore && (used < limit.shared || store.usesReserve))

function take(store: StoreConnections): void {
  store.used += 1
  used += 1
}

/**
 * Gives a released connection to waiting work, before any later work can take it. The store with the fewest connections
 * goes first, so that stores with much work come to equal shares.
 */
function passOn(): void {
  let first: StoreConnections | undefined
  for (const store of stores.values())
    if (store.waiting.length > 0 && mayUseConnection(store) && store.used < (first?.used ?? Infinity))
      first = store
  first?.waiting.shift()?.()
}

function waitForConnection(store: StoreConnections): Promise<void> {
  const { waiting } = store
  return new Promise((resolve, reject) => {
    const giveUp = (why: Error) => {
      settle()
      waiting.splice(waiting.indexOf(begin), 1)
      reject(why)
    }
    const begin = () => {
      settle()
      take(store)
      resolve()
    }
    const timer = setTimeout(() => {
      countTimeout()
      giveUp(limit.timeout())
    }, limit.waitMs)
    const stop = currentClient()?.onDisconnect(() => giveUp(new ClientGone()))
    const endWait = beginWait()
    const settle = () => {
      endWait()
      clearTimeout(timer)
      stop?.()
    }
    waiting.push(begin)
  })
}
