import type { Static } from 'typebox'
import { omitUndefined, toCamelCase } from '#api/platform/input/request-fields.ts'
import type { AffiliateInput } from '#shared/affiliates/lifecycle/create-affiliate.ts'
import { parseDecimal } from '#shared/platform/money.ts'
import { invalid } from '#shared/platform/validation.ts'
import type { UpdateAffiliateRequest } from './schemas.ts'

/** Converts the fields of a request body. Absent fields stay absent. Throws 422 for a percentage of over 2 decimals. */
export const toAffiliateInput = ({
  commission_percent,
  ...fields
}: Static<typeof UpdateAffiliateRequest>): Partial<AffiliateInput> =>
  omitUndefined({
    ...toCamelCase(fields),
    commissionBasisPoints:
      commission_percent == null ? commission_percent : toBasisPoints(commission_percent),
  })

function toBasisPoints(percent: number): number {
  const basisPoints = parseDecimal(String(percent), 2)
  if (basisPoints === null)
    throw invalid(['commission_percent'], 'Use at most 2 decimals for a percentage', percent)
  return Number(basisPoints)
}
