import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { freezeClock } from '#test/support/clock.ts'
import { RemoteRateLimited } from '#workers/gateways/remote-catalog.ts'
import { consumeByteQuota, MAX_MIB_PER_MINUTE } from '#workers/remote-catalog/consume-byte-quota.ts'

const MIB = 1024 * 1024

test('a store past its megabytes of external responses waits for the next minute, and another store does not', async () => {
  freezeClock(new Date('2027-03-01T10:00:00.000Z'))
  const [store, other] = [await buildStore(), await buildStore()]
  for (let n = 0; n < MAX_MIB_PER_MINUTE; n++) await consumeByteQuota(store.id, MIB)

  await assert.rejects(
    consumeByteQuota(store.id, MIB),
    (error) => error instanceof RemoteRateLimited && error.waitMs === 60_000,
  )
  await consumeByteQuota(other.id, MIB)
  freezeClock(new Date('2027-03-01T10:01:00.000Z'))
  await consumeByteQuota(store.id, MIB)
})
