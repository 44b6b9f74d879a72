import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { saveTrackingCode } from '#shared/visits/tracking-code.ts'
import { AffiliateErrors } from './errors.ts'
import type { AffiliateStatus } from './states.ts'

/** A customer who earns a commission on orders that their links lead to. */
export class Affiliate extends StoreModel {
  static override tableName = 'affiliates'

  declare customerId: string
  declare code: string
  declare status: AffiliateStatus
  /** Hundredths of a percent; null: the store's. */
  declare commissionPercent: number | null
  declare website: string | null
  declare company: string | null
  /** The encrypted `Payout`. */
  declare payoutSealed: string | null
  /** The sum of the ledger, in minor units of the store's currency; below 0 after a refund of what was paid out. */
  declare balanceMinor: bigint
  declare entryCount: number
  declare createdAt: Date
  /** Entries do not change it, nor the entity tag. */
  declare updatedAt: Date
  /** A deleted affiliate stays for its orders and its ledger. */
  declare deletedAt: Date | null
}

/** An affiliate of the store. Throws `resource.not_found`, also for a deleted one. */
export const findAffiliate = async (tx: StoreTx, id: string): Promise<Affiliate> =>
  assertFound(await Affiliate.in(tx).findById(id).whereNull('deleted_at'))

/** Reads and locks an affiliate. Throws `resource.not_found`. */
export const lockAffiliate = async (tx: StoreTx, id: string): Promise<Affiliate> =>
  assertFound(await Affiliate.in(tx).findById(id).whereNull('deleted_at').forNoKeyUpdate())

/** The affiliate that a customer is, if any. */
export const findAffiliateOfCustomer = async (
  tx: StoreTx,
  customerId: string,
): Promise<Affiliate | undefined> =>
  Affiliate.in(tx).findOne('customer_id', customerId).whereNull('deleted_at')

export function assertFound(affiliate: Affiliate | undefined): Affiliate {
  if (!affiliate) throw CommonErrors.notFound()
  return affiliate
}

/** Saves the affiliate's code and whether its links count. Throws `affiliate.code_taken`. */
export async function saveAffiliateCode(
  tx: StoreTx,
  { id, code, customerId, status }: Affiliate,
): Promise<void> {
  const period = { startsAt: null, endsAt: null }
  const isActive = status === 'approved'
  const link = { id, kind: 'affiliate', code, customerId, isActive, ...period } as const
  if (!(await saveTrackingCode(tx, link))) throw AffiliateErrors.codeTaken({ code })
}
