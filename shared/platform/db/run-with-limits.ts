import { discardAndCount } from './discards.ts'
import type { PooledConnection } from './knex-internals.ts'
import { limitRead, limitStatements } from './limit-read.ts'
import { cancelStatement } from './pg-internals.ts'
import { ClientGone, currentClient, type WaitingClient } from './waiting-client.ts'

// A statement that ends within this time is not canceled: PostgreSQL starts a process for each cancel, which costs
// more.
const GRACE_MS = 100
// The cancel is repeated after this time, because a cancel between two statements is lost.
const AGAIN_MS = 500

/**
 * Runs `work`, whose statements use `connection`, within limits. A read for a client throws `ClientGone` when the
 * client disconnects, and `response.too_large` or 429 past `limitRead`. Any other work throws `TooMuchData` past
 * `limitStatements`.
 */
export function runWithLimits<T>(
  connection: PooledConnection,
  storeId: string,
  work: () => Promise<T>,
): Promise<T> {
  const client = currentClient()
  return client ? runRead(connection, client, work) : runChange(connection, storeId, work)
}

/**
 * Runs a read for a client. After a cancel the connection is not used again, because a late cancel would end another
 * client's statement.
 */
async function runRead<T>(
  connection: PooledConnection,
  client: WaitingClient,
  work: () => Promise<T>,
): Promise<T> {
  if (client.isGone) throw new ClientGone()
  let timer: NodeJS.Timeout | undefined
  let hasLeft = false
  const cancel = () => {
    cancelStatement(connection)
    timer = setTimeout(cancel, AGAIN_MS)
  }
  const stop = client.onDisconnect(() => {
    hasLeft = true
    timer = setTimeout(() => {
      discardAndCount(connection, client, new ClientGone({ hadBegun: true }))
      cancel()
    }, GRACE_MS)
  })
  const read = limitRead(connection, client)
  try {
    const result = await work()
    // Check again: the last bytes may arrive together with the end of the result.
    if (read.refusal) throw read.refusal
    return result
  } catch (error) {
    throw read.refusal ?? (hasLeft ? new ClientGone({ hadBegun: true, cause: error }) : error)
  } finally {
    read.end()
    stop()
    clearTimeout(timer)
  }
}

/** Runs work that no client can end: changes, and the reads and changes of jobs. */
export async function runChange<T>(
  connection: PooledConnection,
  storeId: string,
  work: () => Promise<T>,
): Promise<T> {
  const statements = limitStatements(connection, storeId)
  try {
    return await work()
  } catch (error) {
    throw statements.refusal ?? error
  } finally {
    statements.end()
  }
}
