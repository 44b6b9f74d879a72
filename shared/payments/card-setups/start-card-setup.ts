import { CardSetup, type CardSetupTarget } from '#shared/payments/card-setup.ts'
import { cancelCardSetups } from '#shared/payments/close/cancel-card-setups.ts'
import { openCardSetup } from '#shared/payments/jobs.ts'
import { CARD_PROVIDER } from '#shared/payments/provider.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { DAY_MS, inMs, now } from '#shared/platform/time/clock.ts'

/**
 * Asks a customer for a card without a charge: for a free first order, or for a subscription. The caller has locked the
 * order or subscription. A worker opens the setup at the gateway under its id; `awaitOpened` waits for the client
 * secret. Cancels earlier setups of the same order or subscription. By default a setup expires in a day.
 */
export async function startCardSetup(
  tx: StoreTx,
  {
    customerId,
    expiresAt = inMs(DAY_MS),
    ...target
  }: { customerId: string; expiresAt?: Date } & CardSetupTarget,
): Promise<CardSetup> {
  await cancelCardSetups(tx, target)
  const at = now()
  const setup = await CardSetup.in(tx).insert({
    customerId,
    ...target,
    provider: CARD_PROVIDER,
    status: 'pending',
    expiresAt,
    createdAt: at,
    updatedAt: at,
  })
  await enqueue(tx, openCardSetup, { setupId: setup.id })
  return setup
}

/**
 * Enqueues the opening of a setup at the gateway again. The setup's id is the idempotency key, so it is opened only
 * once.
 */
export async function retryOpening(tx: StoreTx, setup: CardSetup): Promise<CardSetup> {
  if (setup.status === 'pending') await enqueue(tx, openCardSetup, { setupId: setup.id })
  return setup
}
