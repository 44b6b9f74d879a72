import { AsyncLocalStorage } from 'node:async_hooks'
import type { CodedError } from '#shared/platform/errors.ts'

const MIB = 1024 * 1024

/** The client that waits for a read. It may disconnect before the read ends. */
export class WaitingClient {
  /** The most bytes that one read may take from the database. */
  readonly maxReadBytes: number
  /** The store whose data the client reads; '' for none. */
  storeId = ''
  /** The network of the client's address; '' if it is unknown. */
  network = ''
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
  onDisconnect(handler: () => void): () => void {
    this.#handlers.add(handler)
    return () => this.#handlers.delete(handler)
  }

  /** Cancels the reads of the client. */
  disconnect(): void {
    this.#isGone = true
    for (const handler of [...this.#handlers]) handler()
  }

  /** Marks that the client has its response. Reads that still run are no longer canceled. */
  end(): void {
    this.#isGone = false
    this.#handlers.clear()
  }
}

/** The clients of one shared result. The group disconnects when its last client does. */
export class ClientGroup extends WaitingClient {
  override storeId = currentClient()?.storeId ?? ''
  override network = currentClient()?.network ?? ''
  #waiting = 0

  constructor() {
    super(currentClient()?.maxReadBytes)
  }

  /** Adds the current client. A group with a read without a client, such as a job's, never disconnects. */
  join(): void {
    this.#waiting += 1
    currentClient()?.onDisconnect(() => {
      this.#waiting -= 1
      if (this.#waiting === 0) this.disconnect()
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

  /** Whether the read had begun. If not, its connection is as it was. */
  readonly hadBegun: boolean

  constructor({ hadBegun = false, cause }: { hadBegun?: boolean; cause?: unknown } = {}) {
    super(CLIENT_GONE, { cause })
    this.hadBegun = hadBegun
  }
}

const clients = new AsyncLocalStorage<WaitingClient | undefined>()

/** Runs `work` for a client. Without a client, no disconnect cancels it. */
export const runForClient = <T>(client: WaitingClient | undefined, work: () => T): T =>
  clients.run(client, work)

/** Returns the client of the current work; undefined if no client waits for it. */
export const currentClient = (): WaitingClient | undefined => clients.getStore()

const networks = new AsyncLocalStorage<string>()

/** Runs `work` of a client of this network that no disconnect cancels: a change. */
export const runForNetwork = <T>(network: string, work: () => T): T => networks.run(network, work)

/** Returns the network of the client of the current read or change; '' for jobs. */
export const currentNetwork = (): string => currentClient()?.network ?? networks.getStore() ?? ''
