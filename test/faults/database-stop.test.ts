import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runStops } from './stop-run.ts'

/** What a client may meet while the database is away or comes back; each is in the envelope, and says to repeat. */
const EXPECTED = /^(201 done|503 server\.unavailable|409 idempotency\.in_progress)$/

test('the database stopped at once under load: acknowledged orders stay, and traffic and work go on by themselves', async () => {
  const { lost, doubled, unpublished, processesSurvived, answers, acknowledged } = await runStops({
    stops: 2,
  })

  assert.deepEqual(
    { lost, doubled, unpublished, processesSurvived },
    { lost: 0, doubled: 0, unpublished: 0, processesSurvived: true },
  )
  assert.deepEqual(
    Object.keys(answers).filter((answer) => !EXPECTED.test(answer)),
    [],
  )
  assert.ok(acknowledged > 100)
})
