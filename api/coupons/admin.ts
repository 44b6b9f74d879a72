import { Type } from 'typebox'
import { staff, staffNotSupport } from '#api/platform/auth/access.ts'
import { listQuery } from '#api/platform/input/list-query.ts'
import { page } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { Resource } from '#api/platform/pipeline/resource.ts'
import { type Coupon, findCoupon } from '#shared/coupons/coupon.ts'
import { createCoupon as create } from '#shared/coupons/create-coupon.ts'
import { deactivateCoupon } from '#shared/coupons/deactivate-coupon.ts'
import { CouponErrors } from '#shared/coupons/errors.ts'
import { COUPON_USES, listCouponUses as listUses } from '#shared/coupons/list-coupon-uses.ts'
import { listCoupons as list } from '#shared/coupons/list-coupons.ts'
import { purgeCoupon } from '#shared/coupons/purge-coupon.ts'
import { updateCoupon as update } from '#shared/coupons/update-coupon.ts'
import { CouponUseView, CouponView, viewCoupon, viewCouponUse } from '#shared/coupons/view.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import type { Store } from '#shared/stores/store.ts'
import { couponUseExample, couponExample as example, newCouponExample } from './examples.ts'
import { toCouponChanges, toNewCoupon } from './read-request.ts'
import {
  CouponListQuery,
  CouponParams,
  CreateCouponRequest,
  DeleteCouponQuery,
  UpdateCouponRequest,
} from './schemas.ts'

const coupons = new Resource({
  path: '/admin/coupons',
  audit: {
    resource: 'coupons',
    create: 'postAdminCoupons',
    update: 'patchAdminCouponsCouponId',
    delete: 'deleteAdminCouponsCouponId',
  },
  params: CouponParams,
  reads: staff('marketing:read'),
  writes: staffNotSupport('marketing:write'),
  returns: CouponView,
  view: (coupon: Coupon, { currency }: Store) => viewCoupon(coupon, currency),
  tag: entityTag,
  example,
})

export const listCoupons = coupons.list({
  summary: 'List coupons, deactivated ones included',
  description: '`q` searches codes and names.',
  query: CouponListQuery,
  handle: ({ tx, query }) => list(tx, query),
})

export const createCoupon = coupons.create({
  summary: 'Create a coupon',
  description:
    '`value` is a percentage, above 0 and at most 100, or an amount; 0 only with `free_shipping`. A percentage ' +
    'applies to each line, an amount is allocated over the lines; the discount never exceeds their price. With ' +
    '`product_ids` or `category_ids` it applies to these products and categories, with their descendants, only. ' +
    '`min_total` is the minimum price of the whole cart. `starts_at` is inclusive, `ends_at` exclusive. ' +
    '`uses_per_customer` identifies a buyer by account or e-mail address.',
  body: CreateCouponRequest,
  errors: [CouponErrors.codeTaken],
  example: { body: newCouponExample, data: { ...example, uses_count: 0 } },
  handle: ({ tx, store, body }) => create(tx, store.currency, toNewCoupon(body, store.currency)),
})

export const readCoupon = coupons.read({
  summary: 'Read a coupon',
  handle: ({ tx, params }) => findCoupon(tx, params.coupon_id),
})

export const updateCoupon = coupons.update({
  summary: 'Change, activate or deactivate a coupon',
  description:
    'Absent fields keep their values. A new `type` requires a `value`. Placed orders keep their price. A new code ' +
    'removes the coupon from all carts. The `ETag` changes with the rules, not with `uses_count`.',
  body: UpdateCouponRequest,
  errors: [CouponErrors.codeTaken],
  example: { body: { is_active: false }, data: { ...example, is_active: false } },
  handle: ({ tx, store: { currency }, params, body, ifMatch }) =>
    update(tx, currency, params.coupon_id, toCouponChanges(body, currency), ifMatch),
})

export const deleteCoupon = coupons.delete({
  summary: 'Deactivate a coupon, or delete an unused one',
  description:
    'A deactivated coupon stays in the list with `is_active` false, keeps its code and its uses, and can be ' +
    'activated again. With `purge=true` a coupon that no order ever used is deleted.',
  query: DeleteCouponQuery,
  errors: [CouponErrors.inUse],
  handle: ({ tx, params, query }) => (query.purge ? purgeCoupon : deactivateCoupon)(tx, params.coupon_id),
})

export const listCouponUses = endpoint({
  method: 'get',
  path: '/admin/coupons/:coupon_id/uses',
  access: staff('marketing:read'),
  paginated: true,
  summary: 'List the orders that used a coupon',
  description:
    'Newest first. An order that is canceled, fails, or is not paid before its hold ends releases its use; a later ' +
    'payment restores it. A refund does not release it.',
  params: CouponParams,
  query: listQuery(COUPON_USES),
  returns: [200, Type.Array(CouponUseView)],
  errors: [CommonErrors.notFound],
  example: { data: [couponUseExample] },
  async handle({ tx, params, query }) {
    return page(await listUses(tx, params.coupon_id, query), query, viewCouponUse)
  },
})
