import { type Static, Type } from 'typebox'
import { toText, toTimestamp, toTimestampOrNull } from '#shared/platform/http/response-values.ts'
import {
  CurrencyCode,
  Money,
  MoneyDifference,
  Nullable,
  Shape,
  Timestamp,
  Uuid,
} from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import type { Affiliate } from './affiliate.ts'
import type { CommissionEntry } from './commission-entry.ts'
import type { PayoutDetails } from './payout-details.ts'
import type { Balance } from './read-balances.ts'
import {
  AFFILIATE_STATUSES,
  COMMISSION_ENTRY_KINDS,
  DEFAULT_COMMISSION_BASIS_POINTS,
  PAYABLE_AFTER_DAYS,
  PAYOUT_METHODS,
} from './states.ts'

export const Percent = Type.Number({ minimum: 0, maximum: 100, description: 'Percent' })

/** The commission that staff can set for an affiliate. */
export const CommissionPercent = {
  ...Nullable(Percent),
  description: `Percent; null: the store's, ${DEFAULT_COMMISSION_BASIS_POINTS / 100}`,
}

export const PayoutView = Shape({
  method: Type.Enum([...PAYOUT_METHODS]),
  details: Type.Unsafe<PayoutDetails['details']>({
    anyOf: [
      Type.String({ minLength: 1, maxLength: 1_000 }),
      Type.Record(Type.String({ pattern: '^\\S{1,40}$' }), Type.String({ maxLength: 200 }), {
        additionalProperties: false,
        minProperties: 1,
        maxProperties: 20,
      }),
    ],
    description: 'A text, or texts by name. Encrypted at rest',
  }),
})

export const AffiliateBalanceView = Shape({
  pending: {
    ...MoneyDifference,
    description:
      `Commissions of orders that were completed within ${PAYABLE_AFTER_DAYS} days, or whose payment, or the voucher ` +
      'that paid them, is disputed at the bank',
  },
  payable: {
    ...MoneyDifference,
    description:
      'Other commissions, less payouts; below 0 after a refund or dispute of orders whose commission was paid out',
  },
  paid: { ...Money, description: 'All payouts' },
})

/** The fields of an affiliate for staff and for the customer. */
export const affiliateProperties = {
  id: Uuid,
  code: Type.String(),
  status: Type.Enum([...AFFILIATE_STATUSES]),
  website: Type.String(),
  company: Type.String(),
  currency: CurrencyCode,
  balance: AffiliateBalanceView,
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const AffiliateView = Shape({
  ...affiliateProperties,
  customer_id: Uuid,
  commission_percent: CommissionPercent,
  payout: Type.Optional({ ...Nullable(PayoutView), description: 'Absent without the right `reports:read`' }),
})

export const CommissionEntryView = Shape({
  id: Uuid,
  number: Type.Integer({ description: 'From 1, without gaps' }),
  kind: Type.Enum([...COMMISSION_ENTRY_KINDS], {
    description:
      '`earned` by an order, `reversed` by its refunds, `restored` when a refund failed later, `paid` out to the ' +
      'affiliate',
  }),
  amount: { ...MoneyDifference, description: 'Added to the balance; below 0 for `reversed` and `paid`' },
  balance: { ...MoneyDifference, description: 'The sum of all entries up to this one' },
  currency: CurrencyCode,
  order_id: Nullable(Uuid),
  payable_at: { ...Nullable(Timestamp), description: 'When the commission is payable; null for a payout' },
  reference: Type.String({ description: 'Of a payout' }),
  created_at: Timestamp,
})

/** An affiliate with its balance. `payout` is undefined if the caller may not see it. */
export interface AffiliateRecord {
  affiliate: Affiliate
  balance: Balance
  payout: PayoutDetails | null | undefined
}

export const viewAffiliateProperties = (
  { affiliate, balance }: Omit<AffiliateRecord, 'payout'>,
  currency: string,
) => ({
  id: affiliate.id,
  code: affiliate.code,
  status: affiliate.status,
  website: toText(affiliate.website),
  company: toText(affiliate.company),
  currency,
  balance: {
    pending: toMajor(balance.pendingMinor, currency),
    payable: toMajor(balance.payableMinor, currency),
    paid: toMajor(balance.paidMinor, currency),
  },
  created_at: toTimestamp(affiliate.createdAt),
  updated_at: toTimestamp(affiliate.updatedAt),
})

/** Returns an affiliate for staff. */
export const viewAffiliate = (
  { payout, ...record }: AffiliateRecord,
  currency: string,
): Static<typeof AffiliateView> => ({
  ...viewAffiliateProperties(record, currency),
  customer_id: record.affiliate.customerId,
  commission_percent:
    record.affiliate.commissionBasisPoints === null ? null : record.affiliate.commissionBasisPoints / 100,
  ...(payout === undefined ? {} : { payout }),
})

export const viewCommissionEntry = (entry: CommissionEntry): Static<typeof CommissionEntryView> => ({
  id: entry.id,
  number: entry.number,
  kind: entry.kind,
  amount: toMajor(entry.amountMinor, entry.currency),
  balance: toMajor(entry.balanceMinor, entry.currency),
  currency: entry.currency,
  order_id: entry.orderId,
  payable_at: toTimestampOrNull(entry.payableAt),
  reference: toText(entry.reference),
  created_at: toTimestamp(entry.createdAt),
})
