import { ByteBudget } from '#shared/platform/byte-budget.ts'
import { type CodedError, CommonErrors, type ErrorFactory } from '#shared/platform/errors.ts'
import { takeTurn } from '#shared/platform/time/take-turn.ts'
import { noteDiscard } from './db.ts'
import { discardConnection, type PooledConnection } from './knex-internals.ts'
import { cutConnection, pauseReading, resumeReading, watchBytes, watchStatementEnds } from './pg-internals.ts'
import { READ_CUT, type WaitingClient } from './waiting-client.ts'

const MIB = 1024 * 1024

// The bytes of an ordinary page. No limit refuses so few.
const ORDINARY_BYTES = MIB
const PROCESS_BYTES = 32 * MIB
const STORE_BYTES = PROCESS_BYTES / 2
/** The most bytes that one statement of a change or of a job returns. */
const STATEMENT_BYTES = 16 * MIB

const large = new ByteBudget(PROCESS_BYTES)

/**
 * Thrown if a statement of a change or job returned more than the process may hold. It is no `CodedError`, because jobs
 * treat those as decisions of the domain, e.g. a failed charge.
 */
export class TooMuchData extends Error {
  override name = 'TooMuchData'
  /** The error that the API returns. */
  readonly error: CodedError

  constructor(error: CodedError) {
    super(error.message)
    this.error = error
  }
}

/** A read whose result is limited. */
interface LimitedRead<Refusal> {
  /** The reason why it was cut. */
  refusal: Refusal | undefined
  end(): void
}

/**
 * Counts the bytes that arrive on a connection for a client, over all statements. Cuts the connection past the client's
 * limit, or if the process or the store has too many large reads. So no list can fill the memory, however long its
 * items are.
 */
export function limitRead(connection: PooledConnection, client: WaitingClient): LimitedRead<CodedError> {
  const { end } = countBytes(
    connection,
    { reader: client, tooLarge: CommonErrors.responseTooLarge },
    (error) => {
      read.refusal = error
      client.refusal = error
    },
  )
  const unpace = readInTurns(connection, client)
  const read: LimitedRead<CodedError> = {
    refusal: undefined,
    end() {
      unpace()
      end()
    },
  }
  return read
}

/** The bytes of a result that is parsed in some milliseconds. */
const SMALL_RESULT = 128 * 1024

/**
 * Reads each further piece of a larger result in a turn of its own. Returns a function that ends this, for the next
 * user of the connection must not wait for a turn.
 */
function readInTurns(connection: PooledConnection, { storeId }: WaitingClient): () => void {
  let bytes = 0
  const unwatch = watchBytes(connection, (arrived) => {
    bytes += arrived
    if (bytes <= SMALL_RESULT) return
    pauseReading(connection)
    void takeTurn(storeId).then(() => resumeReading(connection))
  })
  return () => {
    unwatch()
    resumeReading(connection)
  }
}

/**
 * Like `limitRead`, for changes and jobs. Their transactions may run long, so each statement is counted separately. The
 * limit is higher than any of them needs.
 */
export function limitStatements(connection: PooledConnection, storeId: string): LimitedRead<TooMuchData> {
  const reader = { storeId, maxReadBytes: STATEMENT_BYTES }
  const { restart, end } = countBytes(connection, { reader, tooLarge: CommonErrors.tooMuchData }, (error) => {
    read.refusal = new TooMuchData(error)
  })
  const unwatch = watchStatementEnds(connection, restart)
  const read: LimitedRead<TooMuchData> = {
    refusal: undefined,
    end() {
      unwatch()
      end()
    },
  }
  return read
}

interface ByteLimit {
  reader: Pick<WaitingClient, 'storeId' | 'maxReadBytes'>
  /** The error if there are more bytes than the reader may read. */
  tooLarge: ErrorFactory<{ limit: number }>
}

/** Counts bytes. Past a limit, calls `refuse` with the reason and cuts the connection. */
function countBytes(
  connection: PooledConnection,
  { reader, tooLarge }: ByteLimit,
  refuse: (error: CodedError) => void,
) {
  let bytes = 0
  const releases: (() => void)[] = []
  const restart = () => {
    bytes = 0
    for (const release of releases.splice(0)) release()
  }
  const cut = (error: CodedError) => {
    refuse(error)
    unwatch()
    noteDiscard(reader.storeId)
    const why = new Error(READ_CUT)
    // Discard the connection, because the pool would report its end as an unexpected error.
    cutConnection(connection, why, () => discardConnection(connection, why))
  }
  const unwatch = watchBytes(connection, (arrived) => {
    const { storeId, maxReadBytes } = reader
    bytes += arrived
    if (bytes > maxReadBytes) return cut(tooLarge({ limit: maxReadBytes }))
    if (bytes <= ORDINARY_BYTES) return
    try {
      releases.push(large.reserve(arrived, [{ sender: storeId, maxBytes: STORE_BYTES }]))
    } catch (error) {
      cut(error as CodedError)
    }
  })
  const end = () => {
    unwatch()
    restart()
  }
  return { restart, end }
}
