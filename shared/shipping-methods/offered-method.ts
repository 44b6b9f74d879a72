import { isSoldToSql } from '#shared/geo/sold-countries.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import type { OfferedFields } from './shipping-method.ts'

/** A shipping method that buyers can choose. */
export interface OfferedMethod extends OfferedFields {
  id: string
}

/** Returns the price of shipping goods of this value after discounts. */
export const shippingPrice = ({ priceMinor, freeFromMinor }: OfferedMethod, goodsMinor: bigint): bigint =>
  freeFromMinor !== null && goodsMinor >= freeFromMinor ? 0n : priceMinor

/** Whether the weight is within the method's limit. */
export const acceptsWeight = ({ maxWeightGrams }: OfferedMethod, weightGrams: number): boolean =>
  maxWeightGrams === null || weightGrams <= maxWeightGrams

/** A method as JSON. Its amounts are numbers, which are exact (see `Money`). */
export interface OfferedRow extends Omit<OfferedMethod, 'priceMinor' | 'freeFromMinor'> {
  priceMinor: number
  freeFromMinor: number | null
}

export const toOffered = (row: OfferedRow): OfferedMethod => ({
  ...row,
  priceMinor: BigInt(row.priceMinor),
  freeFromMinor: row.freeFromMinor === null ? null : BigInt(row.freeFromMinor),
})

const offeredRowSql = (name: string, estimate: string): string => `json_build_object(
  'id', method.id, 'code', method.code, 'nameI18n', ${name}, 'estimateI18n', ${estimate},
  'priceMinor', method.price_minor, 'freeFromMinor', method.free_from_minor,
  'maxWeightGrams', method.max_weight_grams, 'taxClassId', method.tax_class_id)`

/** SQL: the `OfferedRow` of a method aliased `method`. */
const OFFERED_ROW = offeredRowSql('method.name_i18n', 'method.estimate_i18n')

/** SQL: of texts by language those in `languages` (a JSON array of tags), or else any one. */
const textsInSql = (texts: string, languages: string): string => `coalesce(
  (select jsonb_object_agg(tag, ${texts} -> tag) from jsonb_array_elements_text(${languages}) tag where ${texts} ? tag),
  (select jsonb_build_object(key, value) from jsonb_each(${texts}) limit 1), '{}')`

/**
 * SQL: the `OfferedRow` of a method aliased `method` with its texts in some languages. In all languages they can take
 * 50 KB a method.
 */
export const offeredRowInSql = (languages: string): string =>
  offeredRowSql(textsInSql('method.name_i18n', languages), textsInSql('method.estimate_i18n', languages))

const ZONES_OF_METHOD =
  'shipping_method_zones link where link.store_id = method.store_id and link.shipping_method_id = method.id'

/**
 * SQL: whether a method aliased `method` delivers to one of the geo zones in the relation `zones_of_place`, or
 * everywhere. Each method probes its own zones. With `exists`, PostgreSQL reads the zones of all methods for each cart:
 * 100,000 rows.
 */
const DELIVERS_THERE = `
  ((select true from ${ZONES_OF_METHOD} limit 1) is null
  or (
    select true from (
      select link.geo_zone_id in (select id from zones_of_place) as is_zone_of_place
      from ${ZONES_OF_METHOD} offset 0) reached
    where is_zone_of_place limit 1))`

/**
 * SQL: whether a method aliased `method` is offered to a place (`placeJson` as jsonb), whose geo zones are
 * `zones_of_place`.
 */
export const isOfferedSql = (place: string): string => `
  method.store_id = ${CURRENT_STORE} and method.is_active and ${DELIVERS_THERE} and ${isSoldToSql(place)}`

/** SQL: the `OfferedRow` of the method with an id, if `isOfferedSql` is true for the place. */
export const offeredMethodSql = (id: string, place: string): string =>
  `select ${OFFERED_ROW} from shipping_methods method where method.id = ${id} and ${isOfferedSql(place)}`
