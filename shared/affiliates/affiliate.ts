import { columnMappers, StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import { saveTrackingCode } from '#shared/visits/tracking-code.ts'
import { AffiliateErrors } from './errors.ts'
import type { AffiliateStatus } from './states.ts'

/** A customer who earns a commission on orders through their links. */
export class Affiliate extends StoreModel {
  static override tableName = 'affiliates'
  static override columnNameMappers = columnMappers({ commissionBasisPoints: 'commission_percent' })

  declare customerId: string
  declare code: string
  declare status: AffiliateStatus
  /** Null for the default. */
  declare commissionBasisPoints: number | null
  declare website: string | null
  declare company: string | null
  /** The encrypted `PayoutDetails`. */
  declare payoutSealed: string | null
  /** The sum of the ledger, in minor units of the store's currency; below 0 if a paid commission was refunded. */
  declare balanceMinor: bigint
  declare entryCount: number
  declare createdAt: Date
  /** Ledger entries change neither this time nor the entity tag. */
  declare updatedAt: Date
  /** The time of the deletion. The row stays for orders and the ledger. */
  declare deletedAt: Date | null
}

/** Returns an affiliate of the store. Throws `resource.not_found`, also for a deleted one. */
export const findAffiliate = async (tx: StoreTx, id: string): Promise<Affiliate> =>
  assertFound(await Affiliate.in(tx).findById(id).whereNull('deleted_at'))

/** Reads and locks an affiliate. Throws `resource.not_found`. */
export const lockAffiliate = async (tx: StoreTx, id: string): Promise<Affiliate> =>
  assertFound(await Affiliate.in(tx).findById(id).whereNull('deleted_at').forNoKeyUpdate())

/** Returns the affiliate account of a customer, if there is one. */
export const findAffiliateOfCustomer = async (
  tx: StoreTx,
  customerId: string,
): Promise<Affiliate | undefined> =>
  Affiliate.in(tx).findOne('customer_id', customerId).whereNull('deleted_at')

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
