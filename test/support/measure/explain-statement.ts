import type { TestContext } from 'node:test'
import type { Statement } from '#shared/platform/db/statement.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'

/** The plan of the last prepared statement that `work` runs, with its values. */
export async function explainStatement(
  t: TestContext,
  store: { id: string },
  work: (tx: StoreTx) => Promise<unknown>,
): Promise<string> {
  return inStore(store.id, async (tx) => {
    const { mock } = t.mock.method(tx, 'prepared')
    await work(tx)
    const last = mock.calls.at(-1)
    if (!last) throw new Error('No statement ran')
    const [statement, values] = last.arguments as unknown as [Statement, string[]]
    const explained = { name: `explain_${statement.name}`, text: `explain ${statement.text}` }
    const rows = await tx.prepared<{ 'QUERY PLAN': string }>(explained, values)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
}
