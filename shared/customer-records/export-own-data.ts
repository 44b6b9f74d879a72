import { inStore } from '#shared/platform/db/store-scope.ts'
import { currentNetwork } from '#shared/platform/db/waiting-client.ts'
import { semaphore } from '#shared/platform/throttle/semaphore.ts'
import { type ExportOptions, exportPersonalData, type PersonalDataExport } from './export-personal-data.ts'

// An export of a thousand orders takes a third of a second. Those of twenty customers would use all connections of the
// store.
const exportPermit = semaphore({ permits: Number.POSITIVE_INFINITY, permitsPerGroup: 1, maxWaiting: 64 })

/**
 * Reads all data that the store holds about a customer, for that customer. One export of a store runs at a time. Call
 * it outside a transaction. Throws 429 if too many wait.
 */
export const exportOwnData = (
  storeId: string,
  customerId: string,
  period: Pick<ExportOptions, 'createdFrom' | 'createdTo'>,
): Promise<PersonalDataExport> =>
  exportPermit(
    () =>
      inStore(storeId, (tx) =>
        exportPersonalData(tx, customerId, { seesPayoutDetails: true, seesInternalNotes: false, ...period }),
      ),
    { group: storeId, caller: currentNetwork() },
  )
