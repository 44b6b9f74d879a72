import { randomBytes } from 'node:crypto'
import { Affiliate, saveAffiliateCode } from '#shared/affiliates/affiliate.ts'
import { AffiliateErrors } from '#shared/affiliates/errors.ts'
import { type PayoutDetails, sealPayoutDetails } from '#shared/affiliates/payout-details.ts'
import { findCustomer } from '#shared/customers/customer.ts'
import { newId } from '#shared/platform/db/id.ts'
import { violatedConstraint } from '#shared/platform/db/sql-error.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { RightsHolder } from '#shared/staff/rights.ts'
import { assertMaySetPayout } from './assert-may-set-payout.ts'
import { findVerifiedCustomer } from './find-verified-customer.ts'
import { mailPayoutChange } from './mail-payout-change.ts'

/** The input for an affiliate. */
export interface AffiliateInput
  extends Pick<Affiliate, 'code' | 'status' | 'commissionBasisPoints' | 'website' | 'company'> {
  payout: PayoutDetails | null
}

/**
 * The staff member or API token that edits payout details. `id` identifies the caller in the limit of change mails.
 */
export interface PayoutEditor extends RightsHolder {
  id: string
}

/** Returns a random code for an affiliate who chooses none, e.g. `9f86d081`. */
const randomCode = (): string => randomBytes(4).toString('hex')

/**
 * Makes a customer an affiliate for staff, approved unless another status is given. Mails the customer about payout
 * details. Throws the errors of `assertMaySetPayout` and `insertAffiliate`.
 */
export async function createAffiliate(
  tx: StoreTx,
  customerId: string,
  input: Partial<AffiliateInput>,
  staff: PayoutEditor,
): Promise<Affiliate> {
  assertMaySetPayout(staff, input)
  const affiliate = await insertAffiliate(tx, customerId, { status: 'approved', ...input })
  if (input.payout) await mailPayoutChange(tx, affiliate, staff.id)
  return affiliate
}

/**
 * Makes a customer who applies a pending affiliate. Throws `affiliate.email_unverified`, and the errors of
 * `insertAffiliate`.
 */
export async function applyAsAffiliate(
  tx: StoreTx,
  customerId: string,
  input: Omit<Partial<AffiliateInput>, 'status'>,
): Promise<Affiliate> {
  await findVerifiedCustomer(tx, customerId)
  return insertAffiliate(tx, customerId, { ...input, status: 'pending' })
}

/** Throws `resource.not_found` for an unknown customer, `affiliate.exists` and `affiliate.code_taken`. */
async function insertAffiliate(
  tx: StoreTx,
  customerId: string,
  { payout, ...given }: Pick<AffiliateInput, 'status'> & Partial<AffiliateInput>,
): Promise<Affiliate> {
  await findCustomer(tx, customerId)
  const at = now()
  const id = newId()
  const affiliate = Object.assign(new Affiliate(), {
    ...DEFAULTS,
    code: randomCode(),
    ...given,
    storeId: tx.storeId,
    id,
    customerId,
    payoutSealed: sealPayoutDetails(payout ?? null, { storeId: tx.storeId, id }),
    createdAt: at,
    updatedAt: at,
  })
  await Affiliate.in(tx)
    .insert(affiliate)
    .catch((error) => {
      throw violatedConstraint(error) === 'affiliates_customer' ? AffiliateErrors.exists() : error
    })
  await saveAffiliateCode(tx, affiliate)
  return affiliate
}

const DEFAULTS = {
  commissionBasisPoints: null,
  website: null,
  company: null,
  balanceMinor: 0n,
  entryCount: 0,
  deletedAt: null,
}
