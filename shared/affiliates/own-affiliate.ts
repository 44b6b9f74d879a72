import { linkToStore } from '#shared/mail/site.ts'
import { sumAttributedSales } from '#shared/orders/figures/attributed-sales.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { findVerifiedDomain } from '#shared/stores/domains/store-domain.ts'
import { countVisits } from '#shared/visits/count-visits.ts'
import { type Affiliate, assertFound, findAffiliateOfCustomer } from './affiliate.ts'
import { findLatestEntries } from './list-affiliates.ts'
import { loadRecord } from './load-record.ts'
import { DEFAULT_PERCENT } from './states.ts'
import type { OwnAffiliate } from './view.ts'

const LATEST = 50

/** A customer's own view as an affiliate. Throws `resource.not_found` for a customer without an application. */
export const findOwnAffiliate = async (tx: StoreTx, customerId: string): Promise<OwnAffiliate> =>
  loadOwnAffiliate(tx, assertFound(await findAffiliateOfCustomer(tx, customerId)))

/** Adds link, figures and newest entries to an affiliate. */
export async function loadOwnAffiliate(tx: StoreTx, affiliate: Affiliate): Promise<OwnAffiliate> {
  const { id, code, commissionPercent } = affiliate
  const visits = await countVisits(tx, [id])
  const sales = await sumAttributedSales(tx, 'affiliate_id', [id])
  return {
    ...(await loadRecord(tx, affiliate, { seesPayout: true })),
    percent: commissionPercent ?? DEFAULT_PERCENT,
    link: linkToStore(await findVerifiedDomain(tx), `/?tracking_code=${encodeURIComponent(code)}`),
    visits: visits.get(id) ?? 0,
    orders: sales.get(id)?.orders ?? 0,
    entries: await findLatestEntries(tx, id, LATEST),
  }
}
