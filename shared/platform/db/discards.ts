import { LRUCache } from 'lru-cache'
import { MINUTE_MS } from '#shared/platform/time/clock.ts'
import { discardConnection, type PooledConnection } from './knex-internals.ts'
import { currentClient } from './waiting-client.ts'

/** Whose work discards connections of a store: a client's reads, or, with null, changes and jobs. */
export interface Discarder {
  storeId: string
  network: string | null
}

/** The clients of one network, or the changes and jobs of a store, may discard this many connections in a minute. */
const MAX_DISCARDS = 20
/** The clients of all networks together may discard this many connections of a store in a minute. */
const MAX_DISCARDS_OF_STORE = 60

interface Count {
  count: number
}

/** The connections that were discarded within a minute, by discarder, and by store for all clients together. */
const discards = new LRUCache<string, Count>({ max: 5_000, ttl: MINUTE_MS })

const keyOf = ({ storeId, network }: Discarder): string => `${storeId} ${network ?? 'changes'}`
const keyOfClients = (storeId: string): string => `${storeId} clients`

/**
 * Closes a connection because its client left during a read, or because it returned too much, and counts it. Without a
 * store, '', it counts nothing.
 */
export function discardAndCount(connection: PooledConnection, by: Discarder, why: Error): void {
  discardConnection(connection, why)
  if (!by.storeId) return
  count(keyOf(by))
  // A network past its own limit is apart already, and must not move the other clients of the store.
  if (by.network !== null && countOf(keyOf(by)) <= MAX_DISCARDS) count(keyOfClients(by.storeId))
}

function count(key: string): void {
  const found = discards.get(key)
  if (found) found.count += 1
  else discards.set(key, { count: 1 })
}

/**
 * Whether the current work discards many connections of the store: the reads of this client's network, or of all
 * clients of the store, or else its changes and jobs. So a client who leaves reads of another store slows neither that
 * store's changes nor the reads of its other clients.
 */
export function discardsManyConnections(storeId: string): boolean {
  const client = currentClient()
  if (!client) return countOf(keyOf({ storeId, network: null })) > MAX_DISCARDS
  return (
    countOf(keyOf({ storeId, network: client.network })) > MAX_DISCARDS ||
    countOf(keyOfClients(storeId)) > MAX_DISCARDS_OF_STORE
  )
}

const countOf = (key: string): number => discards.get(key)?.count ?? 0
