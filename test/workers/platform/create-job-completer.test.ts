import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PgBoss } from 'pg-boss'
import { createJobCompleter } from '#workers/platform/create-job-completer.ts'

const deadlock = () => Promise.reject(Object.assign(new Error('deadlock detected'), { code: '40P01' }))
const JOB = { id: '0199d1f0-5b7e-7c3a-9a51-2f6f0c7d9e40', retryCount: 0 }

/** A queue whose first statements fail. `recorded` has the jobs that it has recorded as ended. */
function queueWithDeadlocks(count: number) {
  let left = count
  const recorded: string[] = []
  const settle = (what: string) => async () => (left-- > 0 ? deadlock() : void recorded.push(what))
  const boss = { complete: settle('completed'), fail: settle('failed') } as unknown as PgBoss
  return { completer: createJobCompleter(boss, 'some-queue'), recorded }
}

test('an ended job is recorded after a deadlock with heartbeats, so that it does not run again', async () => {
  const completing = queueWithDeadlocks(1)
  const failing = queueWithDeadlocks(1)

  await completing.completer.complete(JOB)
  await failing.completer.fail(JOB, new Error('no'))

  assert.deepEqual([completing.recorded, failing.recorded], [['completed'], ['failed']])
})

test('a statement that deadlocks again and again is given up, and the next one runs', async () => {
  const { completer, recorded } = queueWithDeadlocks(3)

  await completer.complete(JOB)
  assert.deepEqual(recorded, [])
  await completer.complete(JOB)

  assert.deepEqual(recorded, ['completed'])
})
