import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import {
  failFastWhenDown,
  isDatabaseUp,
  startDatabaseProbe,
  stopDatabaseProbe,
} from '#shared/platform/db/database-probe.ts'
import '#test/support/database.ts'

after(stopDatabaseProbe)

/** Blocks the event loop longer than the probe waits for its connection. */
function block(): void {
  const ends = performance.now() + 2_600
  while (performance.now() < ends);
}

test('a process that was blocked itself does not report the database as unavailable', async () => {
  startDatabaseProbe()
  const work = failFastWhenDown(() => pause(3_000, 'done'))
  block()

  assert.equal(await work, 'done')
  assert.equal(isDatabaseUp(), true)
})
