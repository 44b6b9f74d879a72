import pg from 'pg'

interface WireConnection {
  execute(config: unknown, more: boolean): void
  query(text: string): void
}

interface WireClient {
  connection: WireConnection
  connectionParameters: { application_name?: string }
  connect(...given: unknown[]): unknown
}

// knex asks this once on every new connection, and the pool may open one at any time.
const CONNECTION_CHECK = /^select version\(\);?$/i

// Known from the start: a statement asked for before the count begins may be sent during it.
const pool = new WeakSet<WireConnection>()
const { connect } = pg.Client.prototype as unknown as WireClient
;(pg.Client.prototype as unknown as WireClient).connect = function (...given) {
  if (this.connectionParameters.application_name === 'commerce') pool.add(this.connection)
  return connect.apply(this, given)
}

/**
 * How many statements this process sends on its connection pool while `work` runs, each of a message group counted.
 * Excludes knex's check of a new connection, and what is sent at intervals on the connections of the queues and
 * signals.
 */
export async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const wire = pg.Connection.prototype as unknown as WireConnection
  const { execute, query } = wire
  let count = 0
  wire.execute = function (config, more) {
    if (pool.has(this)) count += 1
    return execute.call(this, config, more)
  }
  wire.query = function (text) {
    if (pool.has(this) && !CONNECTION_CHECK.test(text)) count += 1
    return query.call(this, text)
  }
  try {
    await work()
    return count
  } finally {
    Object.assign(wire, { execute, query })
  }
}
