import { violatedConstraint } from '#shared/platform/db/sql-error.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { foldCase } from '#shared/platform/text.ts'

/** The kinds of owner of a link. */
export type TrackingKind = 'campaign' | 'affiliate'

/** The code in links of a campaign or an affiliate. Both share one namespace in a store. */
export interface TrackedCode {
  /** The id of the campaign or the affiliate. */
  id: string
  kind: TrackingKind
  code: string
  /** The customer who earns from the links, except from their own orders; null for a campaign. */
  customerId: string | null
  isActive: boolean
  startsAt: Date | null
  /** Exclusive. */
  endsAt: Date | null
}

/** Saves the code of a campaign or affiliate with its period. Returns false if another one has the code. */
export async function saveTrackingCode(tx: StoreTx, given: TrackedCode): Promise<boolean> {
  const row = {
    kind: given.kind,
    code_folded: foldCase(given.code),
    customer_id: given.customerId,
    is_active: given.isActive,
    starts_at: given.startsAt,
    ends_at: given.endsAt,
  }
  try {
    await tx
      .knex('tracking_codes')
      .insert({ store_id: tx.storeId, id: given.id, ...row })
      .onConflict(['store_id', 'id'])
      .merge(row)
    return true
  } catch (error) {
    if (violatedConstraint(error) === 'tracking_codes_code') return false
    throw error
  }
}

/** Releases the code for other campaigns and affiliates. */
export async function releaseTrackingCode(tx: StoreTx, id: string): Promise<void> {
  await tx.knex('tracking_codes').where({ store_id: tx.storeId, id }).delete()
}
