import type { TestContext } from 'node:test'
import pg from 'pg'

interface Wire {
  parse(statement: { text: string }): void
}

/** Returns the texts of the statements that PostgreSQL parses for this process while `work` runs. */
export async function recordStatements(t: TestContext, work: () => Promise<unknown>): Promise<string[]> {
  const { mock } = t.mock.method(pg.Connection.prototype as unknown as Wire, 'parse')
  await work()
  return mock.calls.map(({ arguments: [{ text }] }) => text)
}
