import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { freezeClock } from '#test/support/clock.ts'
import { RemoteRateLimited } from '#workers/gateways/remote-catalog.ts'
import { consumeByteQuota, MAX_MIB_PER_MINUTE } from '#workers/remote-catalog/consume-byte-quota.ts'

const PAGE_BYTES = 2 * 1024 * 1024
const PAGES = MAX_MIB_PER_MINUTE / 2

test('a store past its megabytes of external responses waits for the next minute, and another store does not', async () => {
  freezeClock(new Date('2027-03-01T10:00:00.000Z'))
  const [store, other] = [await buildStore(), await buildStore()]
  for (let page = 0; page < PAGES; page++) await consumeByteQuota(store.id, PAGE_BYTES)

  await assert.rejects(
    consumeByteQuota(store.id, PAGE_BYTES),
    (error) => error instanceof RemoteRateLimited && error.waitMs === 60_000,
  )
  await consumeByteQuota(other.id, PAGE_BYTES)
  freezeClock(new Date('2027-03-01T10:01:00.000Z'))
  await consumeByteQuota(store.id, PAGE_BYTES)
})
