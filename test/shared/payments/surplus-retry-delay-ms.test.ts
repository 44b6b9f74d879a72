import assert from 'node:assert/strict'
import { test } from 'node:test'
import { surplusRetryDelayMs } from '#shared/payments/surplus-retry-delay-ms.ts'
import { HOUR_MS, MINUTE_MS } from '#shared/platform/time/clock.ts'

test('the delay after a failed refund of a surplus doubles with each attempt up to 12 hours', () => {
  const delays = [0, 1, 2, 3, 8, 9, 100].map(surplusRetryDelayMs)

  assert.deepEqual(delays, [
    5 * MINUTE_MS,
    5 * MINUTE_MS,
    10 * MINUTE_MS,
    20 * MINUTE_MS,
    640 * MINUTE_MS,
    12 * HOUR_MS,
    12 * HOUR_MS,
  ])
})
