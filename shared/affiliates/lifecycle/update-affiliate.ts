import { isDeepStrictEqual } from 'node:util'
import { Affiliate, lockAffiliate, saveAffiliateCode } from '#shared/affiliates/affiliate.ts'
import { AffiliateErrors } from '#shared/affiliates/errors.ts'
import { openPayoutDetails, sealPayoutDetails } from '#shared/affiliates/payout-details.ts'
import { AFFILIATE_TRANSITIONS } from '#shared/affiliates/states.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import { assertTransition } from '#shared/platform/states.ts'
import { foldCase } from '#shared/platform/text.ts'
import { assertMaySetPayout } from './assert-may-set-payout.ts'
import type { AffiliateInput, PayoutEditor } from './create-affiliate.ts'
import { mailCodeChange } from './mail-code-change.ts'
import { mailDecision } from './mail-decision.ts'
import { mailPayoutChange } from './mail-payout-change.ts'

/**
 * Updates an affiliate for staff; absent fields stay. Mails the customer if the status, the code or the payout details
 * change. Throws `resource.not_found`, `resource.changed` if `ifMatch` is outdated, `affiliate.invalid_transition`,
 * `affiliate.code_taken`, and the error of `assertMaySetPayout`.
 */
export async function updateAffiliate(
  tx: StoreTx,
  id: string,
  { payout, ...changes }: Partial<AffiliateInput>,
  { staff, ifMatch }: { staff: PayoutEditor; ifMatch?: string | undefined },
): Promise<Affiliate> {
  assertMaySetPayout(staff, { payout })
  const affiliate = await lockAffiliate(tx, id)
  assertUnchanged(affiliate, ifMatch)
  const { status = affiliate.status } = changes
  const isDecided = status !== affiliate.status
  if (isDecided)
    assertTransition(AFFILIATE_TRANSITIONS, affiliate.status, status, AffiliateErrors.invalidTransition)
  const changed = {
    ...changes,
    ...(payout === undefined ? {} : { payoutSealed: sealPayoutDetails(payout, affiliate) }),
    updatedAt: nextUpdatedAt(affiliate),
  }
  await Affiliate.in(tx).findById(id).patch(changed)
  const updated = affiliate.with(changed)
  await saveAffiliateCode(tx, updated)
  if (isDecided) await mailDecision(tx, updated)
  // The case of a code does not matter: links with it go on earning.
  if (foldCase(updated.code) !== foldCase(affiliate.code)) await mailCodeChange(tx, updated, affiliate.code)
  if (payout !== undefined && !isDeepStrictEqual(payout, openPayoutDetails(affiliate)))
    await mailPayoutChange(tx, updated, staff.id)
  return updated
}
