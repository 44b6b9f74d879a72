import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextRetryAt } from '#shared/subscriptions/charges/next-retry-at.ts'

test('a failed charge is retried 1, 3, 5 and 7 days after its first failure, and then no more', () => {
  const firstFailedAt = new Date('2026-03-28T10:00:00Z')

  const retries = [1, 2, 3, 4, 5].map((failed) => nextRetryAt(firstFailedAt, failed)?.toISOString() ?? null)

  assert.deepEqual(retries, [
    '2026-03-29T10:00:00.000Z',
    '2026-03-31T10:00:00.000Z',
    '2026-04-02T10:00:00.000Z',
    '2026-04-04T10:00:00.000Z',
    null,
  ])
})
