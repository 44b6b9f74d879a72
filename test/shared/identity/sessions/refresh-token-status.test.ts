import assert from 'node:assert/strict'
import { test } from 'node:test'
import { supersedingNow } from '#shared/identity/sessions/refresh-token-status.ts'
import { inMs, now, SECOND_MS } from '#shared/platform/time/clock.ts'
import { stopClock } from '#test/support/clock.ts'

test('times of rotation within a minute are kept, latest first', () => {
  stopClock()
  const [recent, old] = [inMs(-60 * SECOND_MS), inMs(-60 * SECOND_MS - 1)]

  assert.deepEqual(supersedingNow([recent, old]), [now(), recent])
})

test('at most a hundred times of rotation are kept', () => {
  stopClock()
  const before = Array.from({ length: 100 }, (_, n) => inMs(-n))

  assert.deepEqual(supersedingNow(before), [now(), ...before.slice(0, 99)])
})
