import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import pg, { type Connection, type Submittable } from 'pg'
import { log } from '#shared/platform/log.ts'
import type { PooledConnection } from './knex-internals.ts'
import { type Statement, wireName } from './statement.ts'

/*
 * The parts of pg that its public API leaves out: the methods that its client calls on a query, the connection's socket
 * and its record of prepared statements, and its request to cancel one. Nothing else may use them;
 * test/shared/platform/db/driver-contracts.slow.test.ts fails when an upgrade of pg moves one.
 */

export type Value = string | null
export type Row = Value[]

/** A prepared statement and its values. */
export interface Step {
  statement: Statement
  values: Value[]
}

/** `parsedStatements` has the text of each prepared statement of the connection, by name. */
interface PreparingConnection extends Connection {
  parsedStatements: Record<string, string>
}

/**
 * A connection keeps at most this many statements of pipelines prepared. PostgreSQL holds half a megabyte for each list
 * of products, and filters and sorts make more than a thousand of these.
 */
export const MAX_PREPARED = 100

/** The names of a connection's prepared statements of pipelines, the last used last. */
const preparedNames = new WeakMap<Connection, Set<string>>()

function namesOf(connection: Connection): Set<string> {
  const names = preparedNames.get(connection) ?? new Set()
  preparedNames.set(connection, names)
  return names
}

/**
 * Sends several prepared statements as one message group. PostgreSQL runs all statements before a Sync in one
 * transaction, so a store that the first one sets applies to the rest and ends with it.
 */
class Pipeline implements Submittable {
  readonly #steps: Step[]
  readonly #resolve: (rows: Row[]) => void
  readonly #reject: (error: Error) => void
  #parsed: Record<string, string> = {}
  #completed = 0
  #rows: Row[] = []

  constructor(steps: Step[], resolve: (rows: Row[]) => void, reject: (error: Error) => void) {
    this.#steps = steps
    this.#resolve = resolve
    this.#reject = reject
  }

  submit(connection: Connection) {
    this.#parsed = (connection as PreparingConnection).parsedStatements
    connection.stream.cork()
    this.#closeUnused(connection)
    for (const { statement, values } of this.#steps) {
      const name = wireName(statement)
      if (!(name in this.#parsed)) connection.parse({ name, text: statement.text, types: [] }, true)
      connection.bind({ statement: name, values }, true)
      connection.execute({}, true)
    }
    connection.sync()
    connection.stream.uncork()
  }

  /** Closes unused statements first, because PostgreSQL skips everything after an error. */
  #closeUnused(connection: Connection) {
    const names = namesOf(connection)
    for (const { statement } of this.#steps) {
      const name = wireName(statement)
      names.delete(name)
      if (name) names.add(name)
    }
    if (names.size <= MAX_PREPARED) return
    for (const name of [...names].slice(0, -MAX_PREPARED)) {
      names.delete(name)
      if (!(name in this.#parsed)) continue
      delete this.#parsed[name]
      connection.close({ type: 'S', name }, true)
    }
  }

  handleDataRow(message: { fields: Row }) {
    if (this.#completed === this.#steps.length - 1) this.#rows.push(message.fields)
  }

  handleCommandComplete() {
    this.#completed += 1
  }

  handleReadyForQuery() {
    for (const { statement } of this.#steps)
      if (wireName(statement)) this.#parsed[wireName(statement)] = statement.text
    this.#resolve(this.#rows)
  }

  handleError(error: Error) {
    this.#reject(error)
  }

  handleRowDescription() {}
  handlePortalSuspended() {}
  handleEmptyQuery() {}
}

/** Runs the steps in one round trip and one transaction. Resolves with the rows of the last step, as text. */
export const runPipeline = (connection: PooledConnection, steps: Step[]): Promise<Row[]> =>
  new Promise((resolve, reject) => connection.query(new Pipeline(steps, resolve, reject)))

/** The connection of a client. */
interface Wire extends EventEmitter {
  /** The socket, encrypted or not. */
  stream: Socket
}

const wireOf = (connection: PooledConnection): Wire =>
  (connection as unknown as { connection: Wire }).connection

const socketOf = (connection: PooledConnection): Socket => wireOf(connection).stream

type Arrived = (bytes: number) => void

/** The watchers of each socket. */
const watchers = new WeakMap<Socket, Set<Arrived>>()

/**
 * Reports the bytes that PostgreSQL sends on this connection as they arrive. Returns a function that ends the reports.
 * A socket keeps one listener, because to add and remove a listener of `data` for each statement starts and stops its
 * flow.
 */
export function watchBytes(connection: PooledConnection, arrived: Arrived): () => void {
  const socket = socketOf(connection)
  const ofSocket = watchers.get(socket) ?? listenTo(socket)
  ofSocket.add(arrived)
  return () => ofSocket.delete(arrived)
}

function listenTo(socket: Socket): Set<Arrived> {
  const ofSocket = new Set<Arrived>()
  watchers.set(socket, ofSocket)
  socket.on('data', ({ length }: Buffer) => {
    for (const arrived of ofSocket) arrived(length)
  })
  return ofSocket
}

/** Reads nothing more from this connection until `resumeReading`. */
export const pauseReading = (connection: PooledConnection): void => void socketOf(connection).pause()

export const resumeReading = (connection: PooledConnection): void => void socketOf(connection).resume()

/** Calls `ended` when PostgreSQL has completed a statement, or a group of statements in one message. */
export function watchStatementEnds(connection: PooledConnection, ended: () => void): () => void {
  const wire = wireOf(connection)
  wire.on('readyForQuery', ended)
  return () => wire.off('readyForQuery', ended)
}

/**
 * Closes this connection immediately, so that nothing more of a result arrives. Its statement fails with `why`. A
 * cancel would be too late for a row that PostgreSQL is already sending. `closed` is called at the end.
 */
export function cutConnection(connection: PooledConnection, why: Error, closed: () => void): void {
  ;(connection as unknown as pg.Client).once('end', closed)
  socketOf(connection).destroy(why)
}

/** The ids of a client's server process. */
interface CancelableClient {
  host: string
  port: number
  ssl: object | boolean
  processID: number
  secretKey: number
}

interface CancelConnection {
  connect(portOrPath: number | string, host?: string): void
  requestSsl(): void
  cancel(processID: number, secretKey: number): void
  on(event: 'connect' | 'sslconnect' | 'error', handler: (error: Error) => void): void
  stream: Socket
}

// The time-out of a cancel request. A server that does not respond cancels nothing.
const CANCEL_MS = 5_000

/**
 * Asks PostgreSQL to cancel the running statement of this connection. The cancel request of its protocol uses another
 * connection, and poolers forward it. It may arrive late, and then cancel a later statement of the same connection.
 */
export function cancelStatement(connection: PooledConnection): void {
  const { host, port, ssl, processID, secretKey } = connection as unknown as CancelableClient
  const request = new pg.Connection({ ssl } as object) as unknown as CancelConnection
  const send = () => request.cancel(processID, secretKey)
  request.on('connect', () => (ssl ? request.requestSsl() : send()))
  request.on('sslconnect', send)
  // After an error the statement runs until its end or its time-out.
  request.on('error', (error) => log.debug({ err: error }, 'cancel request failed'))
  request.stream.setTimeout(CANCEL_MS, () => request.stream.destroy())
  if (host.startsWith('/')) request.connect(`${host}/.s.PGSQL.${port}`)
  else request.connect(port, host)
}
