import { enqueuePriceChanges as job } from '#shared/catalog/jobs.ts'
import { enqueuePriceChanges as enqueueChanges } from '#shared/catalog/prices/enqueue-repricing.ts'
import { handle } from '#workers/platform/handle.ts'

/** Enqueues the price changes of the next hour. */
export const enqueuePriceChanges = handle(job, (_payload, { signal }) => enqueueChanges(signal))
