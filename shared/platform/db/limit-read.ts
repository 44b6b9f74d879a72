import { ByteBudget } from '#shared/platform/byte-budget.ts'
import { type CodedError, CommonErrors, type ErrorFactory } from '#shared/platform/errors.ts'
import { takeTurn } from '#shared/platform/time/take-turn.ts'
import { type Discarder, discardAndCount } from './discards.ts'
import type { PooledConnection } from './knex-internals.ts'
import { cutConnection, pauseReading, resumeReading, watchBytes, watchStatementEnds } from './pg-internals.ts'
import { READ_CUT, type WaitingClient } from './waiting-client.ts'

const MIB = 1024 * 1024

// The bytes of an ordinary page. Only the bytes above these are reserved in the budget of large reads.
const ORDINARY_BYTES = MIB
const PROCESS_BYTES = 32 * MIB
const STORE_BYTES = PROCESS_BYTES / 2
/** The most bytes that one statement of a change or of a job returns. */
const STATEMENT_BYTES = 16 * MIB

const largeReads = new ByteBudget(PROCESS_BYTES)

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

/** A result of this many bytes is parsed in some milliseconds. */
const SMALL_RESULT = 128 * 1024

/**
 * Counts the bytes that arrive on a connection for a client, over all statements. Cuts the connection past the client's
 * limit, or if the process or the store has too many large reads. So no list can fill the memory, however long its
 * items are. Past `SMALL_RESULT`, each further piece is read in a turn of its own.
 */
export function limitRead(connection: PooledConnection, client: WaitingClient): LimitedRead<CodedError> {
  const { end } = countBytes(connection, {
    reader: client,
    tooLarge: CommonErrors.responseTooLarge,
    refuse(error) {
      read.refusal = error
      client.refusal = error
    },
    counted(bytes) {
      if (bytes <= SMALL_RESULT) return
      pauseReading(connection)
      void takeTurn(client.storeId).then(() => resumeReading(connection))
    },
  })
  const read: LimitedRead<CodedError> = {
    refusal: undefined,
    end() {
      end()
      // The next user of the connection must not wait for a turn.
      resumeReading(connection)
    },
  }
  return read
}

/**
 * Like `limitRead`, for changes and jobs. Their transactions may run long, so each statement is counted separately. The
 * limit is higher than any of them needs.
 */
export function limitStatements(connection: PooledConnection, storeId: string): LimitedRead<TooMuchData> {
  const { restart, end } = countBytes(connection, {
    reader: { storeId, network: null, maxReadBytes: STATEMENT_BYTES },
    tooLarge: CommonErrors.tooMuchData,
    refuse(error) {
      read.refusal = new TooMuchData(error)
    },
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
  reader: Discarder & Pick<WaitingClient, 'maxReadBytes'>
  /** The error if there are more bytes than the reader may read. */
  tooLarge: ErrorFactory<{ limit: number }>
  /** Gets the reason before the connection is cut. */
  refuse(error: CodedError): void
  /** Gets the sum of bytes each time that bytes arrive. */
  counted?(bytes: number): void
}

/** Counts bytes, and cuts the connection past a limit. */
function countBytes(connection: PooledConnection, { reader, tooLarge, refuse, counted }: ByteLimit) {
  let bytes = 0
  const releases: (() => void)[] = []
  const restart = () => {
    bytes = 0
    for (const release of releases.splice(0)) release()
  }
  const cut = (error: CodedError) => {
    refuse(error)
    unwatch()
    const why = new Error(READ_CUT)
    // Discard the connection, because the pool would report its end as an unexpected error.
    cutConnection(connection, why, () => discardAndCount(connection, reader, why))
  }
  const unwatch = watchBytes(connection, (arrived) => {
    const { storeId, maxReadBytes } = reader
    bytes += arrived
    if (bytes > maxReadBytes) return cut(tooLarge({ limit: maxReadBytes }))
    if (bytes > ORDINARY_BYTES)
      try {
        releases.push(largeReads.reserve(arrived, [{ sender: storeId, maxBytes: STORE_BYTES }]))
      } catch (error) {
        return cut(error as CodedError)
      }
    counted?.(bytes)
  })
  const end = () => {
    unwatch()
    restart()
  }
  return { restart, end }
}
