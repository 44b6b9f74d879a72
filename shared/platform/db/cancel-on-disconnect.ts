import { ClientGone, currentCaller } from './caller.ts'
import { discardConnection, type PooledConnection } from './knex-internals.ts'
import { cancelStatement } from './pg-internals.ts'
import { limitRead } from './read-limit.ts'

// Canceling costs more than a statement that ends within this time: PostgreSQL starts a process for each cancel.
const GRACE_MS = 100
// A cancel between two statements is lost.
const AGAIN_MS = 500

/**
 * Runs `work`, whose statements use `connection`. When the client disconnects, its statement is canceled, and
 * `ClientGone` is thrown. When they return more than `limitRead` allows, `response.too_large` or 429 is thrown. The
 * connection is not used again then: a late cancel would end another caller's statement.
 */
export async function cancelOnDisconnect<T>(
  connection: PooledConnection,
  work: () => Promise<T>,
): Promise<T> {
  const caller = currentCaller()
  if (!caller) return work()
  if (caller.isGone) throw new ClientGone()
  let timer: NodeJS.Timeout | undefined
  let hasLeft = false
  const cancel = () => {
    discardConnection(connection, new ClientGone())
    cancelStatement(connection)
    timer = setTimeout(cancel, AGAIN_MS)
  }
  const stop = caller.onLeave(() => {
    hasLeft = true
    timer = setTimeout(cancel, GRACE_MS)
  })
  const read = limitRead(connection, caller)
  try {
    const result = await work()
    // The last bytes may arrive together with the end of the result.
    if (read.refusal) throw read.refusal
    return result
  } catch (error) {
    throw read.refusal ?? (hasLeft ? new ClientGone({ cause: error }) : error)
  } finally {
    read.end()
    stop()
    clearTimeout(timer)
  }
}
