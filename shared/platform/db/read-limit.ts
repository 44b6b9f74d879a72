import { ByteBudget } from '../byte-budget.ts'
import { type CodedError, CommonErrors } from '../errors.ts'
import { type Caller, READ_CUT } from './caller.ts'
import { discardConnection, type PooledConnection } from './knex-internals.ts'
import { cutConnection, watchBytes } from './pg-internals.ts'

const MIB = 1024 * 1024

// The bytes of an ordinary page, which nothing refuses.
const ORDINARY_BYTES = MIB
const PROCESS_BYTES = 32 * MIB
const STORE_BYTES = PROCESS_BYTES / 2

const large = new ByteBudget(PROCESS_BYTES)

/** A read that PostgreSQL answers for a caller. */
interface LimitedRead {
  /** Why it was ended. */
  refusal: CodedError | undefined
  end(): void
}

/**
 * Counts what arrives on a connection, whatever statements run on it. Past the caller's limit, or when the large reads
 * of the process or of the store are too many, the connection is cut: no list, however long its items, fills the
 * memory.
 */
export function limitRead(connection: PooledConnection, caller: Caller): LimitedRead {
  let bytes = 0
  const releases: (() => void)[] = []
  const read: LimitedRead = {
    refusal: undefined,
    end() {
      unwatch()
      for (const release of releases) release()
    },
  }
  const refuse = (error: CodedError) => {
    read.refusal = error
    caller.refusal = error
    unwatch()
    const cut = new Error(READ_CUT)
    // The pool notes the end of a connection as its error, which it would report as unexpected.
    cutConnection(connection, cut, () => discardConnection(connection, cut))
  }
  const unwatch = watchBytes(connection, (arrived) => {
    bytes += arrived
    if (bytes > caller.maxReadBytes)
      return refuse(CommonErrors.responseTooLarge({ limit: caller.maxReadBytes }))
    if (bytes <= ORDINARY_BYTES) return
    try {
      releases.push(large.hold(arrived, [{ sender: caller.storeId, most: STORE_BYTES }]))
    } catch (error) {
      refuse(error as CodedError)
    }
  })
  return read
}
