import { zonesContainingSql } from '#shared/geo/place.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import { storeValueSql } from '#shared/stores/store.ts'

/** A tax rate that applies to a place. */
export interface AppliedRate {
  id: string
  taxClassId: string
  /** Null if it applies everywhere. */
  geoZoneId?: string | null
  name: string
  ratePpm: number
  isCompound: boolean
}

/** The taxes of a sale to a place. */
export interface TaxRules {
  /** The rates sorted by priority, one for each class and priority. */
  rates: readonly AppliedRate[]
  /** The class of goods and shipping methods without one. */
  defaultClassId: string | null
  /** The rates that the store's prices include, sorted like `rates`. Null if prices are net and tax is added. */
  includedRates: readonly AppliedRate[] | null
}

/** The rules of a sale to an unknown place. */
export const NO_TAX: TaxRules = { rates: [], defaultClassId: null, includedRates: null }

/** Returns the rules for a buyer. If prices include tax, a buyer who is exempt pays the net price. */
export const taxRulesFor = ({ isTaxExempt }: { isTaxExempt: boolean }, rules: TaxRules): TaxRules =>
  isTaxExempt ? { ...rules, rates: [] } : rules

/** SQL: the store's own country as `placeJson`. */
const HOME = storeValueSql(
  "jsonb_build_object('country', country, 'zones', '[]'::jsonb, 'postcodes', jsonb_build_array(''))",
)

/**
 * SQL: the `with` queries of `TAX_RULES`: the geo zones that contain a place (`placeJson` as jsonb), and those that
 * contain the store's country.
 */
export const withZones = (place: string): string => `
  zones_of_place as materialized (${zonesContainingSql(place)}),
  zones_of_home as materialized (${zonesContainingSql(HOME)})`

/**
 * SQL: the rates of a place as JSON. Of a class's rates with the same priority, the one with the closest geo zone
 * applies; of equally close ones the oldest.
 */
const ratesSql = (zones: string): string => `
  coalesce((
    select json_agg(applied order by applied.priority) from (
      select distinct on (rate.tax_class_id, rate.priority)
        rate.id, rate.tax_class_id as "taxClassId", rate.geo_zone_id as "geoZoneId", rate.name,
        rate.rate_ppm as "ratePpm", rate.is_compound as "isCompound", rate.priority
      from tax_rates rate
      left join ${zones} zone on zone.id = rate.geo_zone_id
      where rate.store_id = ${CURRENT_STORE} and (rate.geo_zone_id is null or zone.id is not null)
      order by rate.tax_class_id, rate.priority, coalesce(zone.specificity, 0) desc, rate.created_at, rate.id
    ) applied), '[]')`

/** SQL: the `TaxRules` of a place as JSON, in a statement that starts with `withZones`. */
export const TAX_RULES = `
  json_build_object(
    'rates', ${ratesSql('zones_of_place')},
    'defaultClassId', (
      select id from tax_classes where store_id = ${CURRENT_STORE} and is_default),
    'includedRates', ${storeValueSql(`case
      when not prices_include_tax then null
      when cross_border_prices = 'keep_gross' then ${ratesSql('zones_of_place')}
      else ${ratesSql('zones_of_home')} end`)})`

/** Returns a function that lists the rates of a class by priority. Without a class it uses the default class. */
export function ratesByClass(
  rates: readonly AppliedRate[],
  { defaultClassId }: Pick<TaxRules, 'defaultClassId'>,
) {
  const byClass = Map.groupBy(rates, ({ taxClassId }) => taxClassId)
  return (taxClassId: string | null): readonly AppliedRate[] => {
    const classId = taxClassId ?? defaultClassId
    return (classId && byClass.get(classId)) || []
  }
}

/** Returns a function that computes a value of a tax class, once for each class. */
export function onceByClass<T>(compute: (taxClassId: string | null) => T): (taxClassId: string | null) => T {
  const values = new Map<string | null, { value: T }>()
  return (taxClassId) => {
    const known = values.get(taxClassId) ?? { value: compute(taxClassId) }
    values.set(taxClassId, known)
    return known.value
  }
}
