import { findSetupByReference } from '#shared/payments/card-setup.ts'
import { recordDecline } from '#shared/payments/card-setups/record-opened-setup.ts'
import { settleCardSetup } from '#shared/payments/jobs.ts'
import { countDecline } from '#shared/payments/open/card-testing.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'

/** The contents of a gateway's notification of a card setup. */
export interface SetupNotification {
  provider: string
  reference: string
  declineReason: string | null
  isDecline: boolean
}

/** Applies a notification of a card setup. A job reads the setup at the gateway, because it needs the card too. */
export async function applySetupNotification(tx: StoreTx, notification: SetupNotification): Promise<void> {
  const setup = await findSetupByReference(tx, notification.provider, notification.reference)
  if (!setup) return
  if (notification.declineReason) await recordDecline(tx, setup.id, notification.declineReason)
  await enqueue(tx, settleCardSetup, { setupId: setup.id })
  if (notification.isDecline) await countDecline(tx, setup)
}
