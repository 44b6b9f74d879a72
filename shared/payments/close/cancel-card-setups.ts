import {
  CardSetup,
  type CardSetupTarget,
  OPEN_SETUP_STATUSES,
  setupsOf,
} from '#shared/payments/card-setup.ts'
import { settleCardSetup } from '#shared/payments/jobs.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { notifySettled } from '#shared/platform/notify/signals.ts'
import { now } from '#shared/platform/time/clock.ts'

/**
 * Cancels the open setups of an order or a subscription, here and at the gateway. The caller has locked the order or
 * subscription.
 */
export async function cancelCardSetups(tx: StoreTx, target: CardSetupTarget): Promise<void> {
  const canceled = await setupsOf(tx, target)
    .whereIn('status', OPEN_SETUP_STATUSES)
    .patch({ status: 'canceled', updatedAt: now() })
    .returning('id')
  for (const { id } of canceled) await settleCanceled(tx, id)
}

/** Cancels one setup if it is open, here and at the gateway. */
export async function cancelCardSetup(tx: StoreTx, id: string, failureReason: string): Promise<void> {
  const canceled = await CardSetup.in(tx)
    .findById(id)
    .whereIn('status', OPEN_SETUP_STATUSES)
    .patch({ status: 'canceled', failureReason, updatedAt: now() })
  if (canceled) await settleCanceled(tx, id)
}

async function settleCanceled(tx: StoreTx, setupId: string): Promise<void> {
  await enqueue(tx, settleCardSetup, { setupId })
  await notifySettled(tx, setupId)
}
