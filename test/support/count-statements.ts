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

/**
 * How many statements this process sends over the wire while `work` runs, those of a message group one by one. What
 * the queues ask on their own connection, by the clock, is not of the work.
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
    if (!ofQueues.has(this)) count += 1
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
