import { inStore } from '#shared/platform/db/store-scope.ts'
import {
  eraseNextResponses,
  FIRST_PLACE,
  eraseResponses as job,
  type RecordPlace,
} from '#shared/platform/idempotency/erase-responses.ts'
import { handle } from '#workers/platform/handle.ts'

/** Erases a person from a store's stored responses. A repeated job starts again and finds less. */
export const eraseResponses = handle(job, async ({ storeId, personId, recordIds }, { signal }) => {
  const person = { personId, recordIds: new Set(recordIds) }
  for (let place: RecordPlace | null = FIRST_PLACE; place; ) {
    const after: RecordPlace = place
    place = await inStore(storeId, (tx) => eraseNextResponses(tx, person, after))
    signal.throwIfAborted()
  }
})
