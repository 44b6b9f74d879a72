import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { DAY_MS, inMs, now } from '#shared/platform/time/clock.ts'
import { CardSetup, type CardSetupTarget } from '../card-setup.ts'
import { cancelCardSetups } from '../close/cancel-card-setups.ts'
import { openCardSetup } from '../jobs.ts'

/**
 * Asks a customer for a card without a charge: for a free first order, or for a subscription, which the caller has
 * locked. A worker opens it at the gateway under its id; `awaitOpening` waits for the client secret. Earlier setups of
 * the same order or subscription are canceled. Default of `expiresAt`: in a day.
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
    provider: 'stripe',
    status: 'pending',
    expiresAt,
    createdAt: at,
    updatedAt: at,
  })
  await enqueue(tx, openCardSetup, { setupId: setup.id })
  return setup
}

/** Opens a setup at the gateway that is not open there yet. Its id is its key, so a second attempt opens it once. */
export async function retryOpening(tx: StoreTx, setup: CardSetup): Promise<CardSetup> {
  if (setup.status === 'pending') await enqueue(tx, openCardSetup, { setupId: setup.id })
  return setup
}
