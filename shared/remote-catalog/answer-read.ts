import { sendAnswer } from '../platform/answers.ts'
import { now } from '../platform/clock.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { openApiKey, paceOf } from './connection.ts'
import { findConnection } from './find-connection.ts'
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

/** A question that still waits for its answer; undefined for one that was answered or is out of date. */
export async function findDueRead(tx: StoreTx, readId: string): Promise<DueRead | undefined> {
  const read = await RemoteRead.in(tx).findById(readId).where('expires_at', '>', now())
  if (!read) return undefined
  const connection = await findConnection(tx)
  if (!connection) {
    await answerRead(tx, readId, { fault: 'unavailable', why: 'it was disconnected' })
    return undefined
  }
  return {
    baseUrl: connection.baseUrl,
    apiKey: openApiKey(connection),
    pace: paceOf(connection),
    expiresAt: read.expiresAt,
  }
}

/** Hands the answer to all who wait for it. From here on the same question is asked anew. */
export async function answerRead(tx: StoreTx, readId: string, answer: RemoteAnswer): Promise<void> {
  if (await RemoteRead.in(tx).deleteById(readId)) await sendAnswer(tx, readId, JSON.stringify(answer))
}
