import type { Static, TObject, TProperties } from 'typebox'
import { inStore } from '#shared/platform/db/store-scope.ts'
import type { JobDefinition } from '#shared/platform/jobs/define-job.ts'
import { enqueueAll } from '#shared/platform/jobs/enqueue.ts'
import type { RunForStore } from './isolate-store-failures.ts'

/** The payload of a job with the store that it belongs to. */
export type StorePayload<P extends TProperties> = Static<TObject<P>> & { storeId: string }

/** Enqueues a job for each payload, in one transaction for each store. Returns the payloads of the new jobs. */
export async function enqueueForStores<P extends TProperties>(
  runForStore: RunForStore,
  job: JobDefinition<P>,
  payloads: readonly StorePayload<P>[],
): Promise<StorePayload<P>[]> {
  const enqueued: StorePayload<P>[] = []
  for (const [storeId, ofStore] of Map.groupBy(payloads, (payload) => payload.storeId))
    await runForStore(storeId, async () => {
      const jobs = ofStore.map(({ storeId: _storeId, ...payload }) => ({
        payload: payload as unknown as Static<TObject<P>>,
      }))
      await inStore(storeId, (tx) => enqueueAll(tx, job, jobs))
      enqueued.push(...ofStore)
    })
  return enqueued
}
