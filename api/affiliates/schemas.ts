import { Type } from 'typebox'
import { ConfirmSecondFactorRequest } from '#api/identity/schemas.ts'
import { listQuery } from '#api/platform/input/list-query.ts'
import { TrackingCode } from '#api/visits/schemas.ts'
import { COMMISSION_ENTRIES } from '#shared/affiliates/commissions/list-commission-entries.ts'
import { AFFILIATES } from '#shared/affiliates/list-affiliates.ts'
import { AFFILIATE_STATUSES } from '#shared/affiliates/states.ts'
import { CommissionPercent, PayoutView } from '#shared/affiliates/view.ts'
import { Changes, Clearable, Line, Money, Nullable, Shape, Uuid } from '#shared/platform/http/schema.ts'
import { WebUrl } from '#shared/platform/http/web-url.ts'

export const AffiliateParams = Shape({ id: Uuid })

const Status = Type.Enum([...AFFILIATE_STATUSES])

const applicationFields = {
  code: Type.Optional(TrackingCode),
  website: Type.Optional(Clearable(WebUrl)),
  company: Type.Optional(Clearable(Line(200))),
  payout: Type.Optional(Nullable(PayoutView)),
}

export const ApplyAsAffiliateRequest = Shape(applicationFields)

export const ChangeOwnPayoutRequest = Shape({
  payout: Nullable(PayoutView),
  ...ConfirmSecondFactorRequest.properties,
})

const staffFields = {
  ...applicationFields,
  status: Type.Optional(Status),
  commission_percent: Type.Optional(CommissionPercent),
}

export const CreateAffiliateRequest = Shape({ customer_id: Uuid, ...staffFields })

export const UpdateAffiliateRequest = Changes(staffFields)

export const AffiliateListQuery = listQuery(AFFILIATES)

export const EntryListQuery = listQuery(COMMISSION_ENTRIES)

export const CreatePayoutRequest = Shape({
  amount: Type.Optional(
    Type.Number({ ...Money, exclusiveMinimum: 0, description: 'Default: the payable balance' }),
  ),
  reference: Type.Optional(Clearable(Line(200))),
})
