import { type Static, Type } from 'typebox'
import { Nullable, Shape } from '#shared/platform/http/schema.ts'
import { VISITS_DESCRIPTION } from '#shared/visits/count-visits.ts'
import type { CommissionEntry } from './commission-entry.ts'
import {
  type AffiliateRecord,
  affiliateProperties,
  CommissionEntryView,
  PayoutView,
  Percent,
  viewAffiliateProperties,
  viewCommissionEntry,
} from './view.ts'

/** An affiliate for the customer. */
export const OwnAffiliateView = Shape({
  ...affiliateProperties,
  commission_percent: Percent,
  link: Type.String({ description: "A link to the store's first page. Any page accepts the parameter" }),
  payout: Nullable(PayoutView),
  visits: Type.Integer({ description: VISITS_DESCRIPTION }),
  orders: Type.Integer({ description: 'Orders that were paid, or are processing or further' }),
  entries: Type.Array(CommissionEntryView, { description: 'The newest 50' }),
})

export interface OwnAffiliate extends AffiliateRecord {
  /** The affiliate's own rate, or else the default. */
  effectiveBasisPoints: number
  link: string
  visits: number
  orders: number
  entries: CommissionEntry[]
}

/** Returns an affiliate for the customer. */
export const viewOwnAffiliate = (own: OwnAffiliate, currency: string): Static<typeof OwnAffiliateView> => ({
  ...viewAffiliateProperties(own, currency),
  commission_percent: own.effectiveBasisPoints / 100,
  link: own.link,
  payout: own.payout ?? null,
  visits: own.visits,
  orders: own.orders,
  entries: own.entries.map(viewCommissionEntry),
})
