import { CARD_SETUP_TRANSITIONS, CardSetup, lockSetup } from '#shared/payments/card-setup.ts'
import { settleCardSetup } from '#shared/payments/jobs.ts'
import { registerReference } from '#shared/payments/payment-references.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { notifySettled } from '#shared/platform/notify/signals.ts'
import { canTransition } from '#shared/platform/states.ts'
import { now } from '#shared/platform/time/clock.ts'

/**
 * Records that the gateway has opened a setup. If the setup was canceled during the request, `settleCardSetup` cancels
 * it at the gateway.
 */
export async function recordOpenedSetup(
  tx: StoreTx,
  setupId: string,
  { reference, clientSecret }: { reference: string; clientSecret: string },
): Promise<void> {
  const { setup } = (await lockSetup(tx, setupId)) ?? {}
  if (!setup || setup.gatewayReference) return
  const canOpen = canTransition(CARD_SETUP_TRANSITIONS, setup.status, 'requires_action')
  await CardSetup.in(tx)
    .findById(setupId)
    .patch({
      gatewayReference: reference,
      clientSecret,
      updatedAt: now(),
      ...(canOpen ? { status: 'requires_action' as const } : {}),
    })
  await registerReference(tx, setup.provider, reference, { setupId })
  if (!canOpen) await enqueue(tx, settleCardSetup, { setupId })
  await notifySettled(tx, setupId)
}

/** Records that the gateway refused to open a setup (`failed`), or can no longer complete it (`canceled`). */
export async function recordEndedSetup(
  tx: StoreTx,
  setupId: string,
  status: 'failed' | 'canceled',
  failureReason?: string,
): Promise<void> {
  const { setup } = (await lockSetup(tx, setupId)) ?? {}
  if (!setup) return
  const isEnding = canTransition(CARD_SETUP_TRANSITIONS, setup.status, status)
  const reason = failureReason === undefined ? {} : { failureReason }
  const at = now()
  await CardSetup.in(tx)
    .findById(setupId)
    .patch({
      clientSecret: null,
      payerNetwork: null,
      closedAtGateway: at,
      ...(isEnding ? { status, updatedAt: at, ...reason } : {}),
    })
  await notifySettled(tx, setupId)
}

/** Records that the status of a setup was read at its gateway. */
export const recordSetupRead = (tx: StoreTx, setupId: string): PromiseLike<unknown> =>
  CardSetup.in(tx).findById(setupId).patch({ readAt: now() })

/** Records why a card was declined. The buyer can still save another one with the same setup. */
export const recordDecline = (tx: StoreTx, setupId: string, failureReason: string): PromiseLike<unknown> =>
  CardSetup.in(tx).findById(setupId).patch({ failureReason })
