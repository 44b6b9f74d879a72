import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { larger } from '#shared/platform/money.ts'
import { Refund } from './refund.ts'

/**
 * Records the part of a succeeded refund that exceeds what its order or surplus has left: the gateway has paid it all the
 * same, e.g. because a dispute was lost while the refund was in progress. Returns the part within the limit. Minor units.
 */
export async function recordExcess(tx: StoreTx, refund: Refund, limitMinor: bigint): Promise<bigint> {
  const excessMinor = larger(0n, refund.amountMinor - limitMinor)
  if (excessMinor > 0n) await Refund.in(tx).findById(refund.id).patch({ excessMinor })
  refund.excessMinor = excessMinor
  return refund.amountMinor - excessMinor
}
