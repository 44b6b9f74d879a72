import { AsyncLocalStorage } from 'node:async_hooks'

/** Whoever waits for a read, and may leave before it ends. */
export class Caller {
  #isGone = false
  readonly #handlers = new Set<() => void>()

  get isGone(): boolean {
    return this.#isGone
  }

  /** Runs `handler` when the caller leaves. Returns what takes the handler back. */
  onLeave(handler: () => void): () => void {
    this.#handlers.add(handler)
    return () => this.#handlers.delete(handler)
  }

  /** Ends what runs for the caller. */
  leave(): void {
    this.#isGone = true
    for (const handler of [...this.#handlers]) handler()
  }

  /** The caller waits no longer, because it has its answer. What its request left running goes on. */
  end(): void {
    this.#isGone = false
    this.#handlers.clear()
  }
}

/** The callers of one shared result. It leaves when all of them have left. */
export class Audience extends Caller {
  #waiting = 0

  /** Adds the caller of this read. A read without a caller, such as a job's, stays. */
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

/** The client has closed its connection, so its read was ended. Nobody gets this error. */
export class ClientGone extends Error {
  override name = 'ClientGone'

  constructor(options?: ErrorOptions) {
    super(CLIENT_GONE, options)
  }
}

const callers = new AsyncLocalStorage<Caller | undefined>()

/** Runs `work` for a caller; undefined: for nobody, so that it always ends. */
export const onBehalfOf = <T>(caller: Caller | undefined, work: () => T): T => callers.run(caller, work)

/** The caller of the work that runs; undefined where nobody can leave. */
export const currentCaller = (): Caller | undefined => callers.getStore()
