import { type Static, Type } from 'typebox'
import { AffiliateView, CommissionEntryView, viewCommissionEntry } from '#shared/affiliates/view.ts'
import { toText, toTimestamp } from '#shared/platform/http/response-values.ts'
import { Shape } from '#shared/platform/http/schema.ts'
import type { PersonalDataExport } from './export-personal-data.ts'

const { id, code, status, website, company, commission_percent, payout, created_at } =
  AffiliateView.properties

export const ExportedAffiliate = Shape({
  id,
  code,
  status,
  website,
  company,
  commission_percent,
  payout,
  created_at,
  entries: Type.Array(CommissionEntryView, { description: 'The ledger' }),
})

export const viewExportedAffiliate = ({
  affiliate,
  payout,
  entries,
}: PersonalDataExport['affiliates'][number]): Static<typeof ExportedAffiliate> => ({
  id: affiliate.id,
  code: affiliate.code,
  status: affiliate.status,
  website: toText(affiliate.website),
  company: toText(affiliate.company),
  commission_percent: affiliate.commissionBasisPoints === null ? null : affiliate.commissionBasisPoints / 100,
  ...(payout === undefined ? {} : { payout }),
  created_at: toTimestamp(affiliate.createdAt),
  entries: entries.map(viewCommissionEntry),
})
