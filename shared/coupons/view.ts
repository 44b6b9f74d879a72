import { type Static, Type } from 'typebox'
import { Metadata } from '#shared/platform/http/metadata.ts'
import { toText, toTimestamp, toTimestampOrNull } from '#shared/platform/http/response-values.ts'
import { CurrencyCode, Money, Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import { COUPON_TYPES, type Coupon, type CouponRules } from './coupon.ts'
import type { CouponUse } from './coupon-use.ts'

export const CouponValue = {
  ...Money,
  description: 'Percent, or an amount in major units; 0 for a coupon that only gives free shipping',
}

export const CouponView = Shape({
  id: Uuid,
  code: Type.String(),
  name: Type.String(),
  description: Type.String(),
  type: Type.Enum([...COUPON_TYPES]),
  value: CouponValue,
  min_total: { ...Money, description: 'The minimum price of the goods, in major units' },
  starts_at: Nullable(Timestamp),
  ends_at: Nullable(Timestamp),
  uses_total: Nullable(Type.Integer({ description: 'By all orders; null: unlimited' })),
  uses_per_customer: Nullable(Type.Integer({ description: 'By one buyer; null: unlimited' })),
  uses_count: Type.Integer({ description: 'By orders that are paid or await payment' }),
  logged_in_only: Type.Boolean(),
  free_shipping: Type.Boolean(),
  product_ids: Type.Array(Uuid),
  category_ids: Type.Array(Uuid),
  is_active: Type.Boolean(),
  metadata: Metadata,
  created_at: Timestamp,
  updated_at: Timestamp,
})

export const CouponUseView = Shape({
  id: Uuid,
  order_id: Uuid,
  customer_id: Nullable(Uuid),
  discount: Money,
  currency: CurrencyCode,
  created_at: Timestamp,
  released_at: Nullable({
    ...Timestamp,
    description: 'When its order was canceled, failed, or was not paid in time',
  }),
})

/** Returns the value of a coupon as percent, or in major units. */
export const majorValue = ({ type, value }: Pick<CouponRules, 'type' | 'value'>, currency: string): number =>
  type === 'percent' ? Number(value) / 100 : toMajor(value, currency)

export const viewCoupon = (coupon: Coupon, currency: string): Static<typeof CouponView> => ({
  id: coupon.id,
  code: coupon.code,
  name: toText(coupon.name),
  description: toText(coupon.description),
  type: coupon.type,
  value: majorValue(coupon, currency),
  min_total: toMajor(coupon.minTotalMinor, currency),
  starts_at: toTimestampOrNull(coupon.startsAt),
  ends_at: toTimestampOrNull(coupon.endsAt),
  uses_total: coupon.usesTotal,
  uses_per_customer: coupon.usesPerCustomer,
  uses_count: coupon.usesCount,
  logged_in_only: coupon.loggedInOnly,
  free_shipping: coupon.freeShipping,
  product_ids: coupon.productIds,
  category_ids: coupon.categoryIds,
  is_active: coupon.isActive,
  metadata: coupon.metadata,
  created_at: toTimestamp(coupon.createdAt),
  updated_at: toTimestamp(coupon.updatedAt),
})

export const viewCouponUse = (use: CouponUse): Static<typeof CouponUseView> => ({
  id: use.id,
  order_id: use.orderId,
  customer_id: use.customerId,
  discount: toMajor(use.discountMinor, use.currency),
  currency: use.currency,
  created_at: toTimestamp(use.createdAt),
  released_at: toTimestampOrNull(use.releasedAt),
})
