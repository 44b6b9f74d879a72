import type { Knex } from 'knex'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { planOf } from './plan-of.ts'

/** The plans of the queries that `work` makes. */
export async function explain(
  store: { id: string },
  work: (tx: StoreTx) => PromiseLike<unknown>,
): Promise<string[]> {
  const asked: { sql: string; bindings: Knex.RawBinding[] }[] = []
  await inStore(store.id, async (tx) => {
    tx.knex.on('query', ({ sql, bindings }) => asked.push({ sql, bindings }))
    await work(tx)
  })
  const plans: string[] = []
  for (const { sql, bindings } of asked.filter((one) => one.sql.startsWith('select')))
    plans.push(await inStore(store.id, ({ knex }) => planOf(knex, sql, { bindings })))
  return plans
}
