import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { sendReply } from '#shared/platform/notify/reply-channel.ts'
import { now } from '#shared/platform/time/clock.ts'
import { openApiKey, paceOf, RemoteConnection } from './connection.ts'
import type { RemoteAnswer } from './remote-item.ts'
import { RemoteRead } from './remote-read.ts'

/** What a worker needs in order to ask. */
export interface DueRead {
  baseUrl: string
  apiKey: string
  pace: ReturnType<typeof paceOf>
  /** When the callers' patience ends. */
  expiresAt: Date
}

const FIND_DUE_READ = {
  name: 'find_due_remote_read',
  text: `
    select to_json(r.expires_at) #>> '{}', to_jsonb(c)
    from remote_reads r left join remote_connections c on c.store_id = r.store_id
    where r.store_id = ${CURRENT_STORE} and r.id = $1::uuid
      and r.expires_at > $2::timestamptz`,
}

/** A question that still waits for its answer; undefined for one that was answered or is out of date. */
export async function findDueRead(storeId: string, readId: string): Promise<DueRead | undefined> {
  const [row] = await readInStore(storeId, FIND_DUE_READ, [readId, now().toISOString()])
  if (!row) return undefined
  const [expiresAt, kept] = row
  if (!kept) {
    const answer: RemoteAnswer = { fault: 'unavailable', why: 'it was disconnected' }
    await inStore(storeId, (tx) => answerRead(tx, readId, answer))
    return undefined
  }
  const connection = RemoteConnection.fromDatabaseJson(JSON.parse(kept))
  return {
    baseUrl: connection.baseUrl,
    apiKey: openApiKey(connection),
    pace: paceOf(connection),
    expiresAt: new Date(expiresAt ?? 0),
  }
}

/** Hands the answer to all who wait for it. From here on the same question is asked anew. */
export async function answerRead(tx: StoreTx, readId: string, answer: RemoteAnswer): Promise<void> {
  if (await RemoteRead.in(tx).deleteById(readId)) await sendReply(tx, readId, JSON.stringify(answer))
}
