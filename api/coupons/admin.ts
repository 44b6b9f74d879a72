import { Type } from 'typebox'
import { staff } from '#api/platform/auth/access.ts'
import { page } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { Resource } from '#api/platform/pipeline/resource.ts'
import { changeCoupon as change } from '#shared/coupons/change-coupon.ts'
import type { Coupon } from '#shared/coupons/coupon.ts'
import { createCoupon as create } from '#shared/coupons/create-coupon.ts'
import { CouponErrors } from '#shared/coupons/errors.ts'
import { findCoupon } from '#shared/coupons/find-coupon.ts'
import { listCoupons as list, listUses } from '#shared/coupons/list-coupons.ts'
import { deactivateCoupon, purgeCoupon } from '#shared/coupons/remove-coupon.ts'
import { CouponUseView, CouponView, viewCoupon, viewUse } from '#shared/coupons/view.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { PlainPageQuery } from '#shared/platform/http/schema.ts'
import type { Store } from '#shared/stores/store.ts'
import { couponUseExample, couponExample as example, newCouponExample } from './examples.ts'
import { toCouponChanges, toNewCoupon } from './read-request.ts'
import {
  ChangeCouponRequest,
  CouponListQuery,
  CouponParams,
  CreateCouponRequest,
  RemoveCouponQuery,
} from './schemas.ts'

const coupons = new Resource({
  path: '/admin/coupons',
  audit: {
    resource: 'coupons',
    create: 'postAdminCoupons',
    change: 'patchAdminCouponsCouponId',
    remove: 'deleteAdminCouponsCouponId',
  },
  params: CouponParams,
  reads: staff('marketing:read'),
  writes: staff('marketing:write'),
  returns: CouponView,
  view: (coupon: Coupon, { currency }: Store) => viewCoupon(coupon, currency),
  tag: entityTag,
  example,
})

export const listCoupons = coupons.list({
  summary: 'List coupons, those that were deactivated among them',
  description: '`q` searches codes and names.',
  query: CouponListQuery,
  handle: ({ tx, query }) => list(tx, query),
})

export const createCoupon = coupons.create({
  summary: 'Make a coupon',
  description:
    '`value` is percent, above 0 and at most 100, or an amount; 0 only with `free_shipping`. A percentage is taken ' +
    'line by line, an amount is shared out over the lines; neither takes off more than they come to. With ' +
    '`product_ids` or `category_ids`, whose descendants count in, it is for these goods alone; `min_total` is what ' +
    'the whole cart must come to. It begins with `starts_at` and ends before `ends_at`. A buyer is known again, for ' +
    '`uses_per_customer`, by account or e-mail address.',
  body: CreateCouponRequest,
  errors: [CouponErrors.codeTaken],
  example: { body: newCouponExample, data: { ...example, uses_count: 0 } },
  handle: ({ tx, store, body }) => create(tx, store.currency, toNewCoupon(body, store.currency)),
})

export const readCoupon = coupons.read({
  summary: 'Read a coupon',
  handle: ({ tx, params }) => findCoupon(tx, params.coupon_id),
})

export const changeCoupon = coupons.change({
  summary: 'Change a coupon, or switch it on or off',
  description:
    'What the body leaves out stays; another `type` needs a `value`. Orders keep the price they were placed at; carts ' +
    'hold a coupon by its code, and with another it is on none. Uses do not change the `ETag`: it is of the terms.',
  body: ChangeCouponRequest,
  errors: [CouponErrors.codeTaken],
  example: { body: { is_active: false }, data: { ...example, is_active: false } },
  handle: ({ tx, store: { currency }, params, body, ifMatch }) =>
    change(tx, currency, params.coupon_id, toCouponChanges(body, currency), ifMatch),
})

export const deleteCoupon = coupons.remove({
  summary: 'Deactivate a coupon, or purge one that was never used',
  description:
    'Deactivated, it stays in the list with `is_active` false, keeps its code and its uses, and may be switched on ' +
    'again. With `purge=true` it is really deleted, unless an order ever used it.',
  query: RemoveCouponQuery,
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
    'Newest first. One that is canceled or fails gives its use back, and so does one that is not paid while its stock is ' +
    'kept; it takes it again when it is paid after all. A refund does not give it back.',
  params: CouponParams,
  query: PlainPageQuery,
  returns: [200, Type.Array(CouponUseView)],
  errors: [CommonErrors.notFound],
  example: { data: [couponUseExample] },
  async handle({ tx, params, query }) {
    return page(await listUses(tx, params.coupon_id, query), query, viewUse)
  },
})
