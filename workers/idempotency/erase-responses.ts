import { setTimeout as pause } from 'node:timers/promises'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { eraseRecord } from '#shared/platform/idempotency/erase-record.ts'
import { eraseResponses as job } from '#shared/platform/idempotency/erase-responses.ts'
import {
  type ErasureScan,
  endScan,
  findNextRecords,
  notePlace,
  type RecordPlace,
  resumeOrStartScan,
} from '#shared/platform/idempotency/erasure-scan.ts'
import { semaphore } from '#shared/platform/throttle/semaphore.ts'
import { withStorePermit } from '#shared/platform/throttle/store-permit.ts'
import { handle } from '#workers/platform/handle.ts'

/** Erases the waiting persons from a store's stored responses. A repeated job continues the scan of the killed one. */
export const eraseResponses = handle(job, async ({ storeId }, { signal }) => {
  for (;;) {
    const scan = await inStore(storeId, resumeOrStartScan)
    if (!scan) return
    await runScan(storeId, scan, signal)
  }
})

async function runScan(storeId: string, scan: ErasureScan, signal: AbortSignal): Promise<void> {
  for (let place: RecordPlace | null = scan.place; place; ) {
    const after: RecordPlace = place
    const { naming, last } = await inTurn(storeId, async (tx) => {
      await notePlace(tx, scan, after)
      return findNextRecords(tx, scan, after)
    })
    signal.throwIfAborted()
    for (const record of naming) {
      await inTurn(storeId, (tx) => eraseRecord(tx, scan, record))
      signal.throwIfAborted()
    }
    place = last
  }
  await inStore(storeId, (tx) => endScan(tx, scan))
}

const permit = semaphore({ permits: 1, maxWaiting: Number.POSITIVE_INFINITY })

/**
 * Runs a piece of work when it is the turn of its store, and then rests as long as it took. To erase a large record
 * takes tens of milliseconds of processor time, which other jobs of the process wait for. So scans of all stores
 * together take at most half of that time.
 */
const inTurn = <T>(storeId: string, work: (tx: StoreTx) => Promise<T>): Promise<T> =>
  withStorePermit(permit, storeId, async () => {
    const begun = performance.now()
    try {
      return await inStore(storeId, work)
    } finally {
      await pause(performance.now() - begun)
    }
  })
