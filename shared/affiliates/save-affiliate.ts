import { randomBytes } from 'node:crypto'
import { findCustomer } from '#shared/customers/customer.ts'
import { saveTrackingCode } from '#shared/marketing/tracking-code.ts'
import { newId } from '#shared/platform/db/id.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import { violatedConstraint } from '#shared/platform/db/sql-error.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import { assertTransition } from '#shared/platform/states.ts'
import { now } from '#shared/platform/time/clock.ts'
import { Affiliate, lockAffiliate } from './affiliate.ts'
import { AffiliateErrors } from './errors.ts'
import { mailDecision } from './mails.ts'
import { type Payout, sealPayout } from './payout.ts'
import { AFFILIATE_TRANSITIONS } from './states.ts'

/** What can be chosen for an affiliate. */
export interface AffiliateInput
  extends Pick<Affiliate, 'code' | 'status' | 'commissionPercent' | 'website' | 'company'> {
  payout: Payout | null
}

const DEFAULTS = { commissionPercent: null, website: null, company: null, payout: null }

/** An affiliate's code unless they choose one, for example `9f86d081`. */
const randomCode = (): string => randomBytes(4).toString('hex')

/**
 * Makes a customer an affiliate: `pending` when they apply themselves. Throws `resource.not_found` for an unknown
 * customer, `affiliate.exists` and `affiliate.code_taken`.
 */
export async function createAffiliate(
  tx: StoreTx,
  customerId: string,
  { payout, ...given }: Pick<AffiliateInput, 'status'> & Partial<AffiliateInput>,
): Promise<Affiliate> {
  await findCustomer(tx, customerId)
  const at = now()
  const id = newId()
  const affiliate = Object.assign(new Affiliate(), {
    ...DEFAULTS_OF_ROW,
    code: randomCode(),
    ...given,
    storeId: tx.storeId,
    id,
    customerId,
    payoutSealed: sealPayout(payout ?? null, { storeId: tx.storeId, id }),
    createdAt: at,
    updatedAt: at,
  })
  await Affiliate.in(tx)
    .insert(affiliate)
    .catch((error) => {
      throw violatedConstraint(error) === 'affiliates_customer' ? AffiliateErrors.exists() : error
    })
  await saveCode(tx, affiliate)
  return affiliate
}

const DEFAULTS_OF_ROW = {
  commissionPercent: DEFAULTS.commissionPercent,
  website: DEFAULTS.website,
  company: DEFAULTS.company,
  balanceMinor: 0n,
  entryCount: 0,
  deletedAt: null,
}

/**
 * Updates an affiliate; absent fields stay. The customer is notified by mail when the status changes. Throws
 * `resource.not_found`, `resource.changed` when `ifMatch` is an earlier state, `affiliate.invalid_transition` and
 * `affiliate.code_taken`.
 */
export async function updateAffiliate(
  tx: StoreTx,
  id: string,
  { payout, ...changes }: Partial<AffiliateInput>,
  ifMatch?: string,
): Promise<Affiliate> {
  const affiliate = await lockAffiliate(tx, id)
  assertUnchanged(affiliate, ifMatch)
  const { status = affiliate.status } = changes
  const isDecided = status !== affiliate.status
  if (isDecided)
    assertTransition(AFFILIATE_TRANSITIONS, affiliate.status, status, AffiliateErrors.invalidTransition)
  const changed = {
    ...changes,
    ...(payout === undefined ? {} : { payoutSealed: sealPayout(payout, affiliate) }),
    updatedAt: nextUpdatedAt(affiliate),
  }
  await Affiliate.in(tx).findById(id).patch(changed)
  const updated = affiliate.with(changed)
  await saveCode(tx, updated)
  if (isDecided) await mailDecision(tx, updated)
  return updated
}

async function saveCode(tx: StoreTx, { id, code, customerId, status }: Affiliate): Promise<void> {
  const period = { startsAt: null, endsAt: null }
  const isActive = status === 'approved'
  const link = { id, kind: 'affiliate', code, customerId, isActive, ...period } as const
  if (!(await saveTrackingCode(tx, link))) throw AffiliateErrors.codeTaken({ code })
}
