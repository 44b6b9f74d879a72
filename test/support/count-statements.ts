import pg from 'pg'

interface WireConnection {
  execute(config: unknown, more: boolean): void
  query(text: string): void
}

interface WireClient {
  connection: WireConnection
  connectionParameters: { application_name?: string }
  query(...asked: unknown[]): unknown
}

// knex asks this once on every new connection, and the pool may open one at any time.
const CONNECTION_CHECK = /^select version\(\);?$/i

/**
 * How many statements this process sends while `work` runs, each of a message group counted. Excludes the statements
 * that the queues send at intervals on their own connection, and knex's check of a new connection.
 */
export async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const wire = pg.Connection.prototype as unknown as WireConnection
  const clients = pg.Client.prototype as unknown as WireClient
  const [{ execute, query }, { query: ask }] = [wire, clients]
  const ofQueues = new WeakSet<WireConnection>()
  let count = 0
  clients.query = function (...asked) {
    if (this.connectionParameters.application_name?.endsWith('-queues')) ofQueues.add(this.connection)
    return ask.apply(this, asked)
  }
  wire.execute = function (config, more) {
    if (!ofQueues.has(this)) count += 1
    return execute.call(this, config, more)
  }
  wire.query = function (text) {
    if (!ofQueues.has(this) && !CONNECTION_CHECK.test(text)) count += 1
    return query.call(this, text)
  }
  try {
    await work()
    return count
  } finally {
    Object.assign(wire, { execute, query })
    clients.query = ask
  }
}
