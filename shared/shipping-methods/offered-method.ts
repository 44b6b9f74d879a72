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
  'id', s.id, 'code', s.code, 'nameI18n', ${name}, 'estimateI18n', ${estimate}, 'priceMinor', s.price_minor,
  'freeFromMinor', s.free_from_minor, 'maxWeightGrams', s.max_weight_grams, 'taxClassId', s.tax_class_id)`

/** SQL: the `OfferedRow` of a method aliased `s`. */
const OFFERED_ROW = offeredRowSql('s.name_i18n', 's.estimate_i18n')

/** SQL: of texts by language those in `languages` (a JSON array of tags), or else any one. */
const textsInSql = (texts: string, languages: string): string => `coalesce(
  (select jsonb_object_agg(tag, ${texts} -> tag) from jsonb_array_elements_text(${languages}) tag where ${texts} ? tag),
  (select jsonb_build_object(key, value) from jsonb_each(${texts}) limit 1), '{}')`

/**
 * SQL: the `OfferedRow` of a method aliased `s` with its texts in some languages. In all languages they can take 50 KB
 * a method.
 */
export const offeredRowInSql = (languages: string): string =>
  offeredRowSql(textsInSql('s.name_i18n', languages), textsInSql('s.estimate_i18n', languages))

const ZONES_OF_METHOD =
  'shipping_method_zones z where z.store_id = s.store_id and z.shipping_method_id = s.id'

/**
 * SQL: whether a method aliased `s` delivers to one of the geo zones in the relation `around`, or everywhere. Each
 * method probes its own zones. With `exists`, PostgreSQL reads the zones of all methods for each cart: 100,000 rows.
 */
const DELIVERS_THERE = `
  ((select true from ${ZONES_OF_METHOD} limit 1) is null
  or (
    select true from (
      select z.geo_zone_id in (select id from around) as is_around from ${ZONES_OF_METHOD} offset 0) reached
    where is_around limit 1))`

/** SQL: whether a method aliased `s` is offered to a place (`placeJson` as jsonb), whose geo zones are `around`. */
export const isOffered = (place: string): string => `
  s.store_id = ${CURRENT_STORE} and s.is_active and ${DELIVERS_THERE} and ${isSoldToSql(place)}`

/** SQL: the `OfferedRow` of the method with an id, if `isOffered` is true for the place. */
export const offeredMethodSql = (id: string, place: string): string =>
  `select ${OFFERED_ROW} from shipping_methods s where s.id = ${id} and ${isOffered(place)}`
