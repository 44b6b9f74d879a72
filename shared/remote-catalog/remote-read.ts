import { StoreModel } from '#shared/platform/db/model.ts'
import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { sendReply } from '#shared/platform/notify/reply-channel.ts'
import type { ThrottleRate } from '#shared/platform/throttle/throttle.ts'
import { now, SECOND_MS } from '#shared/platform/time/clock.ts'
import { openApiKey, RemoteConnection, rateOf } from './connection.ts'
import type { RemoteResponse } from './remote-item.ts'

/** The time that a caller waits for the external system. */
export const RESPONSE_TIMEOUT_MS = 10 * SECOND_MS

/** A request in progress. The row holds only the hash of the request and is deleted with its response. */
export class RemoteRead extends StoreModel {
  static override tableName = 'remote_reads'

  declare requestHash: Buffer
  declare expiresAt: Date
}

/** A request in progress with the connection that a worker needs to send it. */
export interface DueRead {
  baseUrl: string
  apiKey: string
  rate: ThrottleRate
  /** The time at which the callers stop waiting. */
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

/**
 * Finds a request that waits for its response; `disconnected` if the store has no connection any more, and undefined if
 * the request is completed or expired.
 */
export async function findDueRead(
  storeId: string,
  readId: string,
): Promise<DueRead | 'disconnected' | undefined> {
  const [row] = await readInStore(storeId, FIND_DUE_READ, [readId, now().toISOString()])
  if (!row) return undefined
  const [expiresAt, connectionJson] = row
  if (!connectionJson) return 'disconnected'
  const connection = RemoteConnection.fromDatabaseJson(JSON.parse(connectionJson))
  return {
    baseUrl: connection.baseUrl,
    apiKey: openApiKey(connection),
    rate: rateOf(connection),
    expiresAt: new Date(expiresAt ?? 0),
  }
}

/** Sends the response to all callers that wait for it. A later equal request is sent to the external system again. */
export async function sendResponse(tx: StoreTx, readId: string, response: RemoteResponse): Promise<void> {
  if (await RemoteRead.in(tx).deleteById(readId)) await sendReply(tx, readId, JSON.stringify(response))
}
