import { newId } from '#shared/platform/db/id.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { listen } from '#shared/platform/notify/listen.ts'
import { awaitReply, countPendingReplies, type ReplyResult } from '#shared/platform/notify/reply-channel.ts'
import type { ThrottleRate } from '#shared/platform/throttle/throttle.ts'
import { inMs, now, SECOND_MS } from '#shared/platform/time/clock.ts'
import { paceOf } from './connection.ts'
import { RemoteErrors } from './errors.ts'
import { requireConnection } from './find-connection.ts'
import { readRemoteCatalog } from './jobs.ts'
import { hashQuestion, type RemoteQuestion } from './question.ts'
import { receiveAnswer } from './receive-answer.ts'
import type { RemoteItem, RemotePage } from './remote-item.ts'
import { PATIENCE_MS, RemoteRead } from './remote-read.ts'

/** Callers of one process who wait at a time: a request that waits holds a socket and little else. */
const MOST_WAITING = 500

/** A page of the store's external catalog, read now. Throws `remote.*`. Call it outside a transaction. */
export async function readPage(storeId: string, question: RemoteQuestion): Promise<RemotePage> {
  const answer = await askRemote(storeId, question)
  if (!('page' in answer)) throw new Error('The answer is to another question')
  return answer.page
}

/** One of its items; 404 `remote.item_not_found`. Throws `remote.*`. Call it outside a transaction. */
export async function readItem(storeId: string, itemId: string): Promise<RemoteItem> {
  const answer = await askRemote(storeId, { item_id: itemId })
  if (!('item' in answer)) throw new Error('The answer is to another question')
  if (!answer.item) throw RemoteErrors.itemNotFound()
  return answer.item
}

/** Has a worker ask, and waits for what it hands over, without a transaction or a connection. */
async function askRemote(storeId: string, question: RemoteQuestion) {
  if (countPendingReplies() >= MOST_WAITING) throw RemoteErrors.rateLimited({ retryAfter: 1 })
  await listen()
  const { reply } = await inStore(storeId, (tx) => beginReading(tx, question))
  return receiveAnswer(await reply)
}

/**
 * Puts a question in line, unless the same one is under way: then its answer is awaited, which cannot be older than
 * this request's own would be. Throws `remote.not_configured`, and `remote.rate_limited` when the line is too long.
 */
async function beginReading(tx: StoreTx, question: RemoteQuestion): Promise<{ reply: Promise<ReplyResult> }> {
  const connection = await requireConnection(tx)
  const readId = newId()
  const { id, ahead } = await joinOrBegin(tx, readId, hashQuestion(question, connection))
  if (id === readId) {
    assertInTime(ahead, paceOf(connection))
    await enqueue(tx, readRemoteCatalog, { readId, question })
  }
  // The row is locked: its answer waits for this commit.
  return awaitReply(id, PATIENCE_MS)
}

// A question that was given up, its worker or its callers having died, is begun anew under the same row.
const JOIN_OR_BEGIN = {
  name: 'join_or_begin_remote_read',
  text: `
    with joined as (
      insert into remote_reads as r (store_id, id, question, expires_at)
      values (${CURRENT_STORE}, $1, $2, $3)
      on conflict (store_id, question) do update set
        id = case when r.expires_at <= $4 then excluded.id else r.id end,
        expires_at = case when r.expires_at <= $4 then excluded.expires_at else r.expires_at end
      returning id
    )
    select joined.id, others.ahead, others."givenUp" from joined, (
      select count(*) filter (where expires_at > $4)::int as ahead,
        count(*) filter (where expires_at <= $4)::int as "givenUp"
      from remote_reads where store_id = ${CURRENT_STORE}) others`,
}

async function joinOrBegin(tx: StoreTx, readId: string, hash: Buffer) {
  const values = [readId, hash, inMs(PATIENCE_MS), now()]
  const [row] = await tx.prepared<{ id: string; ahead: number; givenUp: number }>(JOIN_OR_BEGIN, values)
  if (!row) throw new Error('A question was neither begun nor joined')
  if (row.givenUp) await RemoteRead.in(tx).where('expires_at', '<=', now()).delete()
  return row
}

/** Refuses at once who would wait in vain. Of what other stores ask under the same key, the worker knows. */
function assertInTime(ahead: number, { burst, perSecond }: ThrottleRate): void {
  const waitMs = ((ahead + 1 - burst) / perSecond) * SECOND_MS
  if (waitMs <= PATIENCE_MS) return
  throw RemoteErrors.rateLimited({ retryAfter: Math.ceil((waitMs - PATIENCE_MS) / SECOND_MS) })
}
