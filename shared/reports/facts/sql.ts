import { storeValueSql } from '#shared/stores/store.ts'

// Parts of the reports' statements. Their named parameters are those of `parametersOf`.

const startOf = (date: string): string => `((${date})::date::timestamp at time zone (:zone)::text)`

/** SQL: the start of the range, and its end (exclusive), in the store's time zone. */
export const START = startOf(':dateFrom')
export const END = `(((:dateTo)::date + 1)::timestamp at time zone (:zone)::text)`

/** SQL: whether a time is in the range. */
export const isInRangeSql = (time: string): string => `${time} >= ${START} and ${time} < ${END}`

/** SQL: whether the order with this alias has the currency of the report, and the requested status if there is one. */
export const matchesFilterSql = (order: string): string =>
  `${order}.currency = :currency and ((:status)::text is null or ${order}.status = (:status)::text)`

/** SQL: whether the order with this alias was paid in the range. */
export const isPaidInRangeSql = (order: string): string =>
  `${isInRangeSql(`${order}.paid_at`)} and ${matchesFilterSql(order)}`

/**
 * SQL: the amount that a refund has paid back for its order, without surplus and excess. `order.refunded` sums the same
 * amounts.
 */
export const refundedOf = (refund: string): string => `
  (case when ${refund}.status = 'succeeded' then ${refund}.amount_minor - ${refund}.surplus_minor
    else ${refund}.kept_minor end - ${refund}.excess_minor)`

/** SQL: the part of a refund that went to vouchers: back to the one that paid, or as a credit to a new one. */
export const refundedToVoucher = (refund: string): string => `
  (case when ${refund}.status = 'succeeded' then ${refund}.voucher_amount_minor + ${refund}.credit_minor
    else ${refund}.kept_minor end)`

/** SQL: the price of goods in the order with this alias, after the discount and without tax. */
export const netGoods = (order: string): string => `
  (${order}.subtotal_minor - ${order}.discount_minor
    - case when ${order}.prices_include_tax then ${order}.tax_minor - ${order}.shipping_tax_minor else 0 end)`

/** SQL: the shipping costs of the order with this alias, without tax. */
export const netShipping = (order: string): string => `
  (${order}.shipping_minor - case when ${order}.prices_include_tax then ${order}.shipping_tax_minor else 0 end)`

/** SQL: a text in the store's language, or else in any language. */
export const inStoreLanguage = (texts: string): string => `
  coalesce(${texts} ->> ${storeValueSql('default_language')}, (select min(value) from jsonb_each_text(${texts})), '')`
