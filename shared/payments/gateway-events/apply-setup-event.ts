import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { findSetupByReference } from '../card-setup.ts'
import { recordDecline } from '../card-setups/record-setup.ts'
import { settleCardSetup } from '../jobs.ts'
import { countDecline } from '../open/card-testing.ts'

/** What an event of a gateway reports of a card setup. */
export interface SetupEvent {
  provider: string
  reference: string
  declineReason: string | null
  isDecline: boolean
}

/** Applies an event of a card setup. A job reads the setup, because its card is read, too. */
export async function applySetupEvent(tx: StoreTx, event: SetupEvent): Promise<void> {
  const setup = await findSetupByReference(tx, event.provider, event.reference)
  if (!setup) return
  if (event.declineReason) await recordDecline(tx, setup.id, event.declineReason)
  await enqueue(tx, settleCardSetup, { setupId: setup.id })
  if (event.isDecline) await countDecline(tx, setup)
}
