import { AsyncLocalStorage } from 'node:async_hooks'
import type { Knex } from 'knex'
import { CallerQueue } from '#shared/platform/caller-queue.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { beginWait, countTimeout } from './connection-waits.ts'
import { connectionsOfDiscarders, db, dbOfDiscarders } from './db.ts'
import { discardsManyConnections } from './discards.ts'
import { ClientGone, currentClient, currentNetwork } from './waiting-client.ts'

/** The number of connections that a store uses, and its work that waits for a connection, by network. */
interface StoreConnections {
  used: number
  waiting: CallerQueue<() => void>
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

/** The limit of processes that set none. */
export const UNLIMITED: ConnectionLimit = {
  perStore: Number.POSITIVE_INFINITY,
  shared: Number.POSITIVE_INFINITY,
  waitMs: 0,
  timeout: () => new Error('Without a limit no work waits'),
}

/** A connection pool, and its use by stores. */
class LimitedPool {
  limit = UNLIMITED
  /** The number of connections that all stores use. */
  used = 0
  readonly stores = new Map<string, StoreConnections>()
  readonly open: () => Knex

  constructor(open: () => Knex) {
    this.open = open
  }
}

const ordinary = new LimitedPool(db)
const ofDiscarders = new LimitedPool(dbOfDiscarders)

const poolFor = (storeId: string): LimitedPool => (discardsManyConnections(storeId) ? ofDiscarders : ordinary)

/**
 * Limits how many connections of this process's pools the stores use at a time, so that slow statements of some stores
 * leave connections to the others and to the platform. Further work waits up to `waitMs`.
 */
export function limitStoreConnections(limit: ConnectionLimit, limitOfDiscarders = limit): void {
  ordinary.limit = limit
  ofDiscarders.limit = limitOfDiscarders
}

/** Limits the connections of stores for an ordinary pool of this size, and for the pool of discarders beside it. */
export function limitPools(connections: number, waitMs: number, timeout?: () => Error): void {
  limitStoreConnections(
    limitOfPool(connections, waitMs, timeout),
    limitOfPool(connectionsOfDiscarders(connections), waitMs, timeout),
  )
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
  pool: Knex
  isHeld: boolean
}

const held = new AsyncLocalStorage<HeldConnection>()

/** Whether the next work of a store gets a connection without waiting for other work. */
export function hasFreeConnection(storeId: string): boolean {
  const pool = poolFor(storeId)
  const store = pool.stores.get(storeId)
  return store === undefined || mayUseConnection(pool, store)
}

/**
 * Runs `work` within the limits before it uses a connection, so that it does not wait later. It may use one connection
 * of the store at a time.
 */
export const holdConnection = <T>(storeId: string, work: () => Promise<T>): Promise<T> =>
  withinConnectionLimit(storeId, async (pool) => {
    const connection = { storeId, pool, isHeld: true }
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
  withinLimitOf(ordinary, PLATFORM, work)

/**
 * Runs `work`, which uses one connection of the given pool, within the limits of that pool. Throws the error of the
 * limit after the wait.
 */
export async function withinConnectionLimit<T>(
  storeId: string,
  work: (pool: Knex) => Promise<T>,
): Promise<T> {
  const own = held.getStore()
  if (own?.isHeld && own.storeId === storeId) return work(own.pool)
  return withinLimitOf(poolFor(storeId), storeId, work)
}

async function withinLimitOf<T>(
  pool: LimitedPool,
  storeId: string,
  work: (pool: Knex) => Promise<T>,
): Promise<T> {
  const { stores } = pool
  const store = stores.get(storeId) ?? {
    used: 0,
    waiting: new CallerQueue(),
    usesReserve: storeId === PLATFORM,
  }
  stores.set(storeId, store)
  if (mayUseConnection(pool, store)) take(pool, store)
  else await waitForConnection(pool, store)
  try {
    return await work(pool.open())
  } finally {
    store.used -= 1
    pool.used -= 1
    passOn(pool)
    if (store.used === 0 && store.waiting.size === 0) stores.delete(storeId)
  }
}

const mayUseConnection = ({ limit, used }: LimitedPool, store: StoreConnections): boolean =>
  store.used === 0 || (store.used < limit.perStore && (used < limit.shared || store.usesReserve))

function take(pool: LimitedPool, store: StoreConnections): void {
  store.used += 1
  pool.used += 1
}

/**
 * Gives a released connection to waiting work, before any later work can take it. The store with the fewest connections
 * goes first, so that stores with much work come to equal shares. The networks of its clients take turns; its jobs
 * count as one more network.
 */
function passOn(pool: LimitedPool): void {
  let first: StoreConnections | undefined
  for (const store of pool.stores.values())
    if (store.waiting.size > 0 && mayUseConnection(pool, store) && store.used < (first?.used ?? Infinity))
      first = store
  first?.waiting.shift()?.()
}

function waitForConnection(pool: LimitedPool, store: StoreConnections): Promise<void> {
  const { waiting } = store
  const client = currentClient()
  const network = currentNetwork()
  return new Promise((resolve, reject) => {
    const giveUp = (why: Error) => {
      settle()
      waiting.remove(network, begin)
      reject(why)
    }
    const begin = () => {
      settle()
      take(pool, store)
      resolve()
    }
    const timer = setTimeout(() => {
      countTimeout()
      giveUp(pool.limit.timeout())
    }, pool.limit.waitMs)
    const stop = client?.onDisconnect(() => giveUp(new ClientGone()))
    const endWait = beginWait()
    const settle = () => {
      endWait()
      clearTimeout(timer)
      stop?.()
    }
    waiting.push(network, begin)
  })
}
