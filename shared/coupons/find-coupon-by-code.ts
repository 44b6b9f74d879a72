import { categoriesOfProductsSql, pathsSql } from '#shared/catalog/storefront/category-path.ts'
import { emailHash, emailHashSql } from '#shared/customers/email-hash.ts'
import { queryJson, type ReadScope } from '#shared/platform/db/query-json.ts'
import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import { foldCase } from '#shared/platform/text.ts'
import { CURRENCY_OF_STORE } from '#shared/stores/store.ts'
import type { CouponCandidate } from './apply-coupon.ts'

// Goes from the categories of the cart's products up to those of the coupon. In the other direction, it could read all
// categories and products of the store.
const FIND_COUPON_BY_CODE: Statement = {
  name: 'find_coupon_by_code',
  text: `
  with recursive coupon as materialized (
    select * from coupons where store_id = ${CURRENT_STORE} and code_folded = $1::text),
  placed as materialized (${categoriesOfProductsSql('$2::uuid[]')}
    and exists (select from coupon where category_ids <> '{}')),
  ancestors as (${pathsSql('ancestors', 'select category_id from placed')}),
  eligible as (
    select unnest(category_ids) as id from coupon
    union
    select below.id from eligible join ancestors below on below.parent_id = eligible.id),
  matching as (
    select product.id from coupon, unnest($2::uuid[]) as product (id) where product.id = any(coupon.product_ids)
    union
    select product_id from placed where category_id in (select id from eligible))
  select json_build_object(
    'id', coupon.id, 'code', coupon.code, 'name', coupon.name, 'type', coupon.type, 'value', coupon.value,
    'minTotalMinor', coupon.min_total_minor, 'startsAt', extract(epoch from coupon.starts_at) * 1000,
    'endsAt', extract(epoch from coupon.ends_at) * 1000, 'usesTotal', coupon.uses_total,
    'usesPerCustomer', coupon.uses_per_customer, 'usesCount', coupon.uses_count,
    'loggedInOnly', coupon.logged_in_only, 'freeShipping', coupon.free_shipping, 'productIds', coupon.product_ids,
    'categoryIds', coupon.category_ids, 'isActive', coupon.is_active, 'currency', ${CURRENCY_OF_STORE},
    'usesByBuyer', (
      select count(*) from coupon_uses earlier
      where coupon.uses_per_customer is not null and earlier.store_id = ${CURRENT_STORE}
        and earlier.coupon_id = coupon.id and earlier.released_at is null
        and (earlier.customer_id = $3::uuid
          or earlier.email_hash in (decode($4, 'hex'), ${emailHashSql('$3::uuid')}))),
    'matchingIds', case when coupon.product_ids <> '{}' or coupon.category_ids <> '{}'
      then array(select id from matching) end)::text as json
  from coupon`,
}

/** The buyer who uses a coupon. The same account or the same e-mail address counts as the same buyer. */
export interface CouponBuyer {
  customerId: string | null
  /** The address of the order; null before checkout. */
  email: string | null
}

/**
 * Finds a coupon by the entered code, in any letter case, with the products of a cart that it matches. Null if the
 * store does not have this coupon.
 */
export async function findCouponByCode(
  within: ReadScope,
  code: string,
  productIds: readonly string[],
  { customerId, email }: CouponBuyer,
): Promise<CouponCandidate | null> {
  const hash = email === null ? null : emailHash(email).toString('hex')
  const values = [foldCase(code), `{${productIds.join()}}`, customerId, hash]
  const [row] = await queryJson<Row>(within, FIND_COUPON_BY_CODE, values)
  return row ? toCandidate(row) : null
}

/** JSON has neither bigint nor dates. */
type Row = Omit<CouponCandidate, 'value' | 'minTotalMinor' | 'startsAt' | 'endsAt'> & {
  value: number
  minTotalMinor: number
  startsAt: number | null
  endsAt: number | null
}

const toDate = (ms: number | null) => (ms === null ? null : new Date(ms))

const toCandidate = ({ value, minTotalMinor, startsAt, endsAt, ...row }: Row): CouponCandidate => ({
  ...row,
  value: BigInt(value),
  minTotalMinor: BigInt(minTotalMinor),
  startsAt: toDate(startsAt),
  endsAt: toDate(endsAt),
})
