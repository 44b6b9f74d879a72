import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { notifySettled } from '#shared/platform/notify/signals.ts'
import { now } from '#shared/platform/time/clock.ts'
import { freeDomain } from './free-domain.ts'
import { type DomainFailure, StoreDomain } from './store-domain.ts'

/** A claim whose check is under way; undefined when there is nothing to check any more. */
export const findChecking = (tx: StoreTx, id: string) =>
  StoreDomain.in(tx).findById(id).whereNotNull('checking_since')

/**
 * Ends a claim's check. Without a fault the domain is the store's from here on, unless another store was first; with
 * one, the claim stays to be checked again.
 */
export async function settleVerification(
  tx: StoreTx,
  claim: StoreDomain,
  fault: DomainFailure | null,
): Promise<void> {
  const failure = fault ?? ((await freeDomain(tx, claim.domain)) ? null : 'taken')
  await StoreDomain.in(tx)
    .findById(claim.id)
    .whereNotNull('checking_since')
    .patch({ failure, checkingSince: null, checkedAt: now(), ...(failure ? {} : { verifiedAt: now() }) })
  await notifySettled(tx, claim.id)
}
