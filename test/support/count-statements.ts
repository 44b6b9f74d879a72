import pg from 'pg'

interface WireConnection {
  execute(config: unknown, more: boolean): void
  query(text: string): void
}

/** How many statements this process sends over the wire while `work` runs, those of a message group one by one. */
export async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const wire = pg.Connection.prototype as unknown as WireConnection
  const { execute, query } = wire
  let count = 0
  wire.execute = function (config, more) {
    count += 1
    return execute.call(this, config, more)
  }
  wire.query = function (text) {
    count += 1
    return query.call(this, text)
  }
  try {
    await work()
    return count
  } finally {
    Object.assign(wire, { execute, query })
  }
}
