import { linkToStore } from '#shared/mail/site.ts'
import { sumAttributedSales } from '#shared/orders/figures/attributed-sales.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import { findPrimaryDomain } from '#shared/stores/domains/store-domain.ts'
import { countVisits } from '#shared/visits/count-visits.ts'
import { type Affiliate, findAffiliateOfCustomer } from './affiliate.ts'
import { findLatestCommissionEntries } from './commission-entry.ts'
import { loadAffiliateRecord } from './load-affiliate-record.ts'
import type { OwnAffiliate } from './own-view.ts'
import { DEFAULT_COMMISSION_BASIS_POINTS } from './states.ts'

const LATEST = 50

/**
 * Returns the affiliate account that a customer sees. Throws `resource.not_found` for a customer without an
 * application.
 */
export const findOwnAffiliate = async (tx: StoreTx, customerId: string): Promise<OwnAffiliate> =>
  loadOwnAffiliate(tx, assertFound(await findAffiliateOfCustomer(tx, customerId)))

/** Adds link, figures and newest entries to an affiliate. */
export async function loadOwnAffiliate(tx: StoreTx, affiliate: Affiliate): Promise<OwnAffiliate> {
  const { id, code, commissionBasisPoints } = affiliate
  const visits = await countVisits(tx, [id])
  const sales = await sumAttributedSales(tx, 'affiliate_id', [id])
  return {
    ...(await loadAffiliateRecord(tx, affiliate, { seesPayoutDetails: true })),
    effectiveBasisPoints: commissionBasisPoints ?? DEFAULT_COMMISSION_BASIS_POINTS,
    link: linkToStore(await findPrimaryDomain(tx), `/?tracking_code=${encodeURIComponent(code)}`),
    visits: visits.get(id) ?? 0,
    orders: sales.get(id)?.orders ?? 0,
    entries: await findLatestCommissionEntries(tx, id, LATEST),
  }
}
