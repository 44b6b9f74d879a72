import { AsyncLocalStorage } from 'node:async_hooks'
import type { CodedError } from '#shared/platform/errors.ts'

const MIB = 1024 * 1024

/** The client that waits for a read. It may disconnect before the read ends. */
export class Caller {
  /** The most bytes that one read may take from the database. */
  readonly maxReadBytes: number
  /** The store whose data the client reads; '' for none. */
  storeId = ''
  /** The reason why a read was cut as too large. It causes the later errors of its transaction. */
  refusal: CodedError | undefined
  #isGone = false
  readonly #handlers = new Set<() => void>()

  constructor(maxReadBytes = 4 * MIB) {
    this.maxReadBytes = maxReadBytes
  }

  get isGone(): boolean {
    return this.#isGone
  }

  /** Runs `handler` when the client disconnects. Returns a function that removes the handler. */
  onLeave(handler: () => void): () => void {
    this.#handlers.add(handler)
    return () => this.#handlers.delete(handler)
  }

  /** Cancels the reads of the caller. */
  leave(): void {
    this.#isGone = true
    for (const handler of [...this.#handlers]) handler()
  }

  /** Marks that the client has its response. Reads that still run are no longer canceled. */
  end(): void {
    this.#isGone = false
    this.#handlers.clear()
  }
}

/** The callers of one shared result. The group leaves when its last caller leaves. */
export class CallerGroup extends Caller {
  override storeId = currentCaller()?.storeId ?? ''
  #waiting = 0

  constructor() {
    super(currentCaller()?.maxReadBytes)
  }

  /** Adds the current caller. A group with a read without a caller, such as a job's, never leaves. */
  join(): void {
    this.#waiting += 1
    currentCaller()?.onLeave(() => {
      this.#waiting -= 1
      if (this.#waiting === 0) this.leave()
    })
  }
}

/** The message of `ClientGone`. */
export const CLIENT_GONE = 'the client has closed its connection'

/** The message of the error that ends a read of too many bytes on its connection. */
export const READ_CUT = 'the read returns more than a response may hold'

/** Thrown by a read that was canceled because its client has closed the connection. No response shows this error. */
export class ClientGone extends Error {
  override name = 'ClientGone'

  constructor(options?: ErrorOptions) {
    super(CLIENT_GONE, options)
  }
}

const callers = new AsyncLocalStorage<Caller | undefined>()

/** Runs `work` for a caller. Without a caller, no disconnect cancels it. */
export const runForCaller = <T>(caller: Caller | undefined, work: () => T): T => callers.run(caller, work)

/** Returns the caller of the current work; undefined if no client waits for it. */
export const currentCaller = (): Caller | undefined => callers.getStore()
