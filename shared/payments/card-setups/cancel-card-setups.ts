import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { notifySettled } from '#shared/platform/notify/signals.ts'
import { now } from '#shared/platform/time/clock.ts'
import { settleCardSetup } from '../jobs.ts'
import { type CardSetupTarget, setupsOf } from './card-setup.ts'

/** Cancels the open setups of an order or a subscription, which the caller has locked; here and at the gateway. */
export async function cancelCardSetups(tx: StoreTx, target: CardSetupTarget): Promise<void> {
  const canceled = await setupsOf(tx, target)
    .whereIn('status', ['pending', 'requires_action'])
    .patch({ status: 'canceled', updatedAt: now() })
    .returning('id')
  for (const { id } of canceled) {
    await enqueue(tx, settleCardSetup, { setupId: id })
    await notifySettled(tx, id)
  }
}
