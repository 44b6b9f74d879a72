import { storeValueSql } from '#shared/stores/store.ts'

// Parts of the statements of reports. Their parameters have names: see `parametersOf`.

const startOf = (date: string): string => `((${date})::date::timestamp at time zone (:zone)::text)`

/** SQL: the first moment of the range, and the first one after it, in the store's time zone. */
export const START = startOf(':dateFrom')
export const END = `(((:dateTo)::date + 1)::timestamp at time zone (:zone)::text)`

/** SQL: a time is in the range. */
export const isInRangeSql = (time: string): string => `${time} >= ${START} and ${time} < ${END}`

/**
 * SQL: the orders that a report speaks of, under an alias: of its currency and, if one was asked for, of the status.
 */
export const matchesFilterSql = (order: string): string =>
  `${order}.currency = :currency and ((:status)::text is null or ${order}.status = (:status)::text)`

/** SQL: the orders that were paid in the range, under an alias. */
export const isPaidInRangeSql = (order: string): string =>
  `${isInRangeSql(`${order}.paid_at`)} and ${matchesFilterSql(order)}`

/**
 * SQL: what a refund has paid back of its order: not what returned a surplus, nor an excess. As `order.refunded` sums
 * it.
 */
export const refundedOf = (refund: string): string => `
  (case when ${refund}.status = 'succeeded' then ${refund}.amount_minor - ${refund}.surplus_minor
    else ${refund}.kept_minor end - ${refund}.excess_minor)`

/** SQL: the part of it that went back to a voucher. */
export const refundedToVoucher = (refund: string): string => `
  (case when ${refund}.status = 'succeeded' then ${refund}.voucher_amount_minor else ${refund}.kept_minor end)`

/** SQL: goods of an order, under an alias, after the discount and without tax. */
export const netGoods = (order: string): string => `
  (${order}.subtotal_minor - ${order}.discount_minor
    - case when ${order}.prices_include_tax then ${order}.tax_minor - ${order}.shipping_tax_minor else 0 end)`

/** SQL: shipping of an order, under an alias, without tax. */
export const netShipping = (order: string): string => `
  (${order}.shipping_minor - case when ${order}.prices_include_tax then ${order}.shipping_tax_minor else 0 end)`

/** SQL: a text in the store's language, else in any. */
export const inStoreLanguage = (texts: string): string => `
  coalesce(${texts} ->> ${storeValueSql('default_language')}, (select min(value) from jsonb_each_text(${texts})), '')`
