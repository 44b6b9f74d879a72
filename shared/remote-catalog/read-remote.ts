import { newId } from '#shared/platform/db/id.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { listen } from '#shared/platform/notify/listen.ts'
import { awaitReply, countPendingReplies, type ReplyResult } from '#shared/platform/notify/reply-channel.ts'
import { waitBreaker } from '#shared/platform/notify/wait-breaker.ts'
import type { ThrottleRate } from '#shared/platform/throttle/throttle.ts'
import { inMs, now, SECOND_MS } from '#shared/platform/time/clock.ts'
import { rateOf, requireConnection } from './connection.ts'
import { RemoteErrors } from './errors.ts'
import { readRemoteCatalog } from './jobs.ts'
import { queueWaitMs } from './queue-wait.ts'
import type { RemoteItem, RemotePage, RemoteResponse } from './remote-item.ts'
import { RESPONSE_TIMEOUT_MS, RemoteRead } from './remote-read.ts'
import { hashRequest, type RemoteRequest } from './remote-request.ts'

/** The most waiting callers of one process. Each needs little more than a socket. */
const MAX_WAITING = 1_000
/** The most waiting callers of one store, so that its slow system does not stop other stores. */
const MAX_WAITING_OF_STORE = 125
/** While this many callers wait, a store has a smaller share, so that some slow systems do not stop other stores. */
const CROWDED = MAX_WAITING / 2
const SHARE_WHEN_CROWDED = 20

const waitingByStore = new Map<string, number>()

/** Reads a page of the store's external catalog. Throws `remote.*`. Call it outside a transaction. */
export async function readRemotePage(storeId: string, request: RemoteRequest): Promise<RemotePage> {
  const response = await readRemote(storeId, request)
  if (!('page' in response)) throw new Error('The response has no page')
  return response.page
}

/** Reads one item. Throws `remote.item_not_found` and other `remote.*`. Call it outside a transaction. */
export async function readItem(storeId: string, itemId: string): Promise<RemoteItem> {
  const response = await readRemote(storeId, { item_id: itemId })
  if (!('item' in response)) throw new Error('The response has no item')
  if (!response.item) throw RemoteErrors.itemNotFound()
  return response.item
}

/** Lets a worker send the request, and waits for the response without a transaction or connection. */
async function readRemote(storeId: string, request: RemoteRequest) {
  const others = waitingByStore.get(storeId) ?? 0
  if (others >= shareOfStore(countPendingReplies())) throw RemoteErrors.rateLimited({ retryAfter: 1 })
  waitingByStore.set(storeId, others + 1)
  try {
    await listen()
    const { reply } = await breaker({
      key: storeId,
      wait: () => startAndAwaitRead(storeId, request),
      missed: ({ reply, ms }) => isUnavailable(reply) && ms >= LONG_MS,
      skip: async () => ({ reply: NOT_RESPONDING, ms: 0 }),
    })
    return parseReply(reply)
  } finally {
    const left = (waitingByStore.get(storeId) ?? 1) - 1
    if (left > 0) waitingByStore.set(storeId, left)
    else waitingByStore.delete(storeId)
  }
}

/** Returns how many callers of one store may wait while `waiting` callers of all stores do. */
function shareOfStore(waiting: number): number {
  if (waiting >= MAX_WAITING) return 0
  return waiting >= CROWDED ? SHARE_WHEN_CROWDED : MAX_WAITING_OF_STORE
}

const breaker = waitBreaker()

/**
 * A wait is missed if it takes at least this time. The failures of a system that responds fast cost callers no time.
 */
const LONG_MS = RESPONSE_TIMEOUT_MS / 2

const NOT_RESPONDING = {
  text: JSON.stringify({ fault: 'unavailable', why: 'it does not respond' } satisfies RemoteResponse),
}

async function startAndAwaitRead(
  storeId: string,
  request: RemoteRequest,
): Promise<{ reply: ReplyResult; ms: number }> {
  const begun = performance.now()
  const { reply } = await inStore(storeId, (tx) => startRead(tx, request))
  return { reply: await reply, ms: performance.now() - begun }
}

function isUnavailable(reply: ReplyResult): boolean {
  if ('missing' in reply) return false
  const response = responseOf(reply)
  return 'fault' in response && response.fault === 'unavailable'
}

const parsed = new WeakMap<ReplyResult, RemoteResponse>()

/**
 * Parses a reply. All callers of one reply share the result: they continue in the same turn of the event loop, and a
 * separate copy of 512 KB for each of them would block the process.
 */
function responseOf(reply: Extract<ReplyResult, { text: string }>): RemoteResponse {
  const response = parsed.get(reply) ?? (JSON.parse(reply.text) as RemoteResponse)
  parsed.set(reply, response)
  return response
}

/**
 * Enqueues a request, or joins an equal request in progress, whose response will be as recent. Throws
 * `remote.not_configured`, and `remote.rate_limited` if the queue is too long.
 */
async function startRead(tx: StoreTx, request: RemoteRequest): Promise<{ reply: Promise<ReplyResult> }> {
  const connection = await requireConnection(tx)
  const readId = newId()
  const { id, ahead } = await insertOrJoin(tx, readId, hashRequest(request, connection))
  if (id === readId) {
    assertStoreQueueInTime(ahead, rateOf(connection))
    await enqueue(tx, readRemoteCatalog, { readId, request })
  }
  // The row is locked, so its response cannot be sent before this commit.
  return awaitReply(id, RESPONSE_TIMEOUT_MS)
}

// Reuses the expired row of an equal request whose worker or callers died.
const INSERT_OR_JOIN = {
  name: 'insert_or_join_remote_read',
  text: `
    with joined as (
      insert into remote_reads as r (store_id, id, request_hash, expires_at)
      values (${CURRENT_STORE}, $1, $2, $3)
      on conflict (store_id, request_hash) do update set
        id = case when r.expires_at <= $4 then excluded.id else r.id end,
        expires_at = case when r.expires_at <= $4 then excluded.expires_at else r.expires_at end
      returning id
    )
    select joined.id, others.ahead, others.expired from joined, (
      select count(*) filter (where expires_at > $4)::int as ahead,
        count(*) filter (where expires_at <= $4)::int as expired
      from remote_reads where store_id = ${CURRENT_STORE}) others`,
}

async function insertOrJoin(tx: StoreTx, readId: string, hash: Buffer) {
  const values = [readId, hash, inMs(RESPONSE_TIMEOUT_MS), now()]
  const [row] = await tx.prepared<{ id: string; ahead: number; expired: number }>(INSERT_OR_JOIN, values)
  if (!row) throw new Error('The request was neither inserted nor joined')
  if (row.expired) await RemoteRead.in(tx).where('expires_at', '<=', now()).delete()
  return row
}

/**
 * Throws `remote.rate_limited` if the requests ahead would delay this one past its deadline. It counts only requests of
 * this store: only the worker knows other stores with the same key.
 */
function assertStoreQueueInTime(ahead: number, rate: ThrottleRate): void {
  const waitMs = queueWaitMs(ahead, rate)
  if (waitMs <= RESPONSE_TIMEOUT_MS) return
  throw RemoteErrors.rateLimited({ retryAfter: Math.ceil((waitMs - RESPONSE_TIMEOUT_MS) / SECOND_MS) })
}

/** Returns the data of a reply. Throws `remote.rate_limited` and `remote.unavailable`. */
function parseReply(reply: ReplyResult): Exclude<RemoteResponse, { fault: unknown }> {
  if ('missing' in reply) {
    // A worker responds in time to every request that it sends. So a late reply means that the request is still
    // waiting.
    if (reply.missing === 'late')
      throw RemoteErrors.rateLimited({ retryAfter: RESPONSE_TIMEOUT_MS / SECOND_MS })
    throw CommonErrors.unavailable({ retryAfter: 1 })
  }
  const response = responseOf(reply)
  if (!('fault' in response)) return response
  if (response.fault === 'rate_limited') throw RemoteErrors.rateLimited({ retryAfter: response.retryAfter })
  throw RemoteErrors.unavailable({ why: response.why })
}
