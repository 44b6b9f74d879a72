import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allJobs } from '#shared/all-jobs.ts'

test("one store's jobs use at most a quarter of a queue", () => {
  const unfair = allJobs.filter(
    ({ scope, rules }) => scope === 'store' && rules.perStore > rules.concurrency / 4,
  )
  assert.deepEqual(
    unfair.map(({ queue }) => queue),
    [],
  )
})
