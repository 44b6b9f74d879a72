import { Type } from 'typebox'
import { listQuery } from '#api/platform/input/list-query.ts'
import { COUPON_TYPES } from '#shared/coupons/coupon.ts'
import { COUPONS } from '#shared/coupons/list-coupons.ts'
import { CouponValue } from '#shared/coupons/view.ts'
import { MetadataChange } from '#shared/platform/http/metadata.ts'
import {
  Changes,
  Clearable,
  Line,
  MAX_INT4,
  Money,
  Nullable,
  Shape,
  Timestamp,
  Uuid,
} from '#shared/platform/http/schema.ts'

const MAX_CODE_LENGTH = 64

/** A code that a shopper types. Unlike the code of a new coupon, it may have blanks around it. */
export const CouponCode = { ...Line(MAX_CODE_LENGTH), description: 'Case-insensitive' }

export const CouponParams = Shape({ coupon_id: Uuid })

const Code = Type.String({
  pattern: '^[^\\s\\p{C}]+$',
  maxLength: MAX_CODE_LENGTH,
  description: 'Without blanks; case-insensitive',
})
const Limit = Type.Integer({ minimum: 1, maximum: MAX_INT4 })
const Ids = Type.Array(Uuid, { maxItems: 1_000 })

const optional = {
  name: Type.Optional(Clearable(Line(200))),
  description: Type.Optional(Clearable(Type.String({ maxLength: 2_000 }))),
  min_total: Type.Optional(Money),
  starts_at: Type.Optional(Nullable(Timestamp)),
  ends_at: Type.Optional(Nullable(Timestamp)),
  uses_total: Type.Optional(Nullable(Limit)),
  uses_per_customer: Type.Optional(Nullable(Limit)),
  logged_in_only: Type.Optional(Type.Boolean()),
  free_shipping: Type.Optional(Type.Boolean()),
  product_ids: Type.Optional(Ids),
  category_ids: Type.Optional(Ids),
  is_active: Type.Optional(Type.Boolean()),
  metadata: Type.Optional(MetadataChange),
}

const CouponType = Type.Enum([...COUPON_TYPES])

export const CreateCouponRequest = Shape({ code: Code, type: CouponType, value: CouponValue, ...optional })

export const UpdateCouponRequest = Changes(CreateCouponRequest.properties)

export const CouponListQuery = listQuery(COUPONS)

export const DeleteCouponQuery = Shape({
  purge: Type.Boolean({ default: false, description: 'Delete a coupon that no order ever used' }),
})
