import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runStops } from './stop-run.ts'

/** What a client receives while the database is down or starting: an envelope that says to try again. */
const EXPECTED = /^(201 done|503 server\.unavailable|409 idempotency\.in_progress)$/

test('an immediate database stop under load loses no acknowledged order; requests and jobs resume without a restart', async () => {
  const { lost, doubled, unpublished, discrepancies, processesSurvived, answers, acknowledged } =
    await runStops({
      stops: 2,
    })

  assert.deepEqual(
    { lost, doubled, unpublished, discrepancies, processesSurvived },
    { lost: 0, doubled: 0, unpublished: 0, discrepancies: 0, processesSurvived: true },
  )
  assert.deepEqual(
    Object.keys(answers).filter((answer) => !EXPECTED.test(answer)),
    [],
  )
  assert.ok(acknowledged > 100)
})
