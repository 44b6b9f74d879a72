import type { Connection, Submittable } from 'pg'
import { db } from './db.ts'
import { isUuid } from './id.ts'
import { type Statement, wireName } from './statement.ts'

type Value = string | null
type Row = Value[]

interface Step {
  statement: Statement
  values: Value[]
}

/** pg's own note of what a connection has prepared: kept by its queries too, so that each statement is parsed once. */
interface PreparingConnection extends Connection {
  parsedStatements: Record<string, string>
}

/**
 * Several prepared statements sent as one message group. PostgreSQL runs all that stands before a Sync as one
 * transaction, so a store set by the first holds for the rest and ends with it.
 */
class Pipeline implements Submittable {
  readonly #steps: Step[]
  readonly #resolve: (rows: Row[]) => void
  readonly #reject: (error: Error) => void
  #known: Record<string, string> = {}
  #completed = 0
  #rows: Row[] = []

  constructor(steps: Step[], resolve: (rows: Row[]) => void, reject: (error: Error) => void) {
    this.#steps = steps
    this.#resolve = resolve
    this.#reject = reject
  }

  submit(connection: Connection) {
    this.#known = (connection as PreparingConnection).parsedStatements
    connection.stream.cork()
    for (const { statement, values } of this.#steps) {
      const name = wireName(statement)
      if (!(name in this.#known)) connection.parse({ name, text: statement.text, types: [] }, true)
      connection.bind({ statement: name, values }, true)
      connection.execute({}, true)
    }
    connection.sync()
    connection.stream.uncork()
  }

  handleDataRow(message: { fields: Row }) {
    if (this.#completed === this.#steps.length - 1) this.#rows.push(message.fields)
  }

  handleCommandComplete() {
    this.#completed += 1
  }

  handleReadyForQuery() {
    for (const { statement } of this.#steps) this.#known[wireName(statement)] = statement.text
    this.#resolve(this.#rows)
  }

  handleError(error: Error) {
    this.#reject(error)
  }

  handleRowDescription() {}
  handlePortalSuspended() {}
  handleEmptyQuery() {}
}

/** knex's raw connection: `__knex__disposed` makes the pool drop it instead of handing it out again. */
interface PooledConnection {
  query(pipeline: Pipeline): unknown
  __knex__disposed?: unknown
}

async function run(steps: Step[]): Promise<Row[]> {
  // Held on to: once the pool is closing, `db()` is another one.
  const { client } = db()
  const connection: PooledConnection = await client.acquireConnection()
  try {
    return await new Promise<Row[]>((resolve, reject) =>
      connection.query(new Pipeline(steps, resolve, reject)),
    )
  } catch (error) {
    // Which of the statements were prepared before the fault is unknown, so the connection is not used again.
    connection.__knex__disposed = error
    throw error
  } finally {
    client.releaseConnection(connection)
  }
}

const SET_STORE: Statement = {
  name: 'set_store',
  text: "select set_config('app.store_id', $1, true)",
}

/** Sets the store and reads, inside the same walls as `inStore`, in one round trip. Rows are arrays of text columns. */
export function readInStore(storeId: string, statement: Statement, values: Value[]): Promise<Row[]> {
  if (!isUuid(storeId)) throw new Error('readInStore needs the id of a store')
  return run([
    { statement: SET_STORE, values: [storeId] },
    { statement, values },
  ])
}

// Names no store, so whoever is not found reads nothing, and as fast.
const NIL_STORE_ID = '00000000-0000-0000-0000-000000000000'

/**
 * The same where a table outside the stores has to say which store it is: `finder` selects its id, and both take
 * the same values.
 */
export function readInResolvedStore(
  finder: Statement,
  statement: Statement,
  values: Value[],
): Promise<Row[]> {
  const setStore = {
    name: `set_store_${finder.name}`,
    text: `select set_config('app.store_id', coalesce((${finder.text})::text, '${NIL_STORE_ID}'), true)`,
  }
  return run([
    { statement: setStore, values },
    { statement, values },
  ])
}

/** The same for a lone change that needs no other statement beside it: it is committed when this resolves. */
export const executeInStore = readInStore

/** Reads a table that stands outside the stores, in one round trip. */
export const readOnPlatform = (statement: Statement, values: Value[]): Promise<Row[]> =>
  run([{ statement, values }])

/** The same for a lone change there: it is committed when this resolves. */
export const executeOnPlatform = readOnPlatform
