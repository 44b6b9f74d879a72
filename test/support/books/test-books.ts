import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { INVARIANTS } from '#shared/reconciliation/find-discrepancies.ts'
import { builtStores } from '#test/support/builders/store.ts'
import { superuser } from '#test/support/database.ts'

const ignored = new Set<string>()

/** Leaves a store out of `testBooks`: its test writes rows that no domain function writes. */
export const ignoreBooksOf = ({ id }: { id: string }): unknown => ignored.add(id)

/** The last line of a test file: tests that every invariant holds in the stores that the file's tests have built. */
export function testBooks(): void {
  let first = 0
  before(() => {
    first = builtStores.length
  })
  test('the books of the stores of these tests agree', () => assertBooks(builtStores.slice(first)))
}

/** Fails with the discrepancies of stores. Superusers bypass row-level security: one query for all of them. */
export async function assertBooks(storeIds: readonly string[]): Promise<void> {
  const checked = storeIds.filter((id) => !ignored.has(id))
  const found = []
  for (const { name: invariant, sql } of INVARIANTS) {
    const text = `select subject, expected, found from (${sql}) as differing where store_id = any($1::uuid[])`
    const { rows } = await superuser.query(text, [checked])
    found.push(...rows.map((row) => ({ invariant, ...row })))
  }
  assert.deepEqual(found, [])
}
