import { findTaxTerms } from '#shared/tax/find-tax-terms.ts'
import { pricesByClass } from '#shared/tax/price-at-place.ts'
import { NO_TAX, type TaxTerms } from '#shared/tax/tax-terms.ts'
import { type StorefrontContext, UNIT } from './context.ts'
import { versionedCache } from './versioned-cache.ts'

const cachePrices = versionedCache<string>(10_000)

/**
 * The factors of the prices at the context's place as JSON, by tax class: the parameter of `joinPricesAtPlace`. Read
 * once a catalog version and place.
 */
export function readPricesAtPlace(context: StorefrontContext): Promise<string> {
  const { store, place } = context
  if (!place) return Promise.resolve(toJson(NO_TAX))
  return cachePrices(context, place, async () => toJson(await findTaxTerms({ storeId: store.id }, place)))
}

/** Whole numbers as text: they may exceed what a JSON number holds exactly. */
function toJson(terms: TaxTerms): string {
  const classes = [...pricesByClass(terms)].map(([classId, { from, to, net, gross, ratePpm }]) => [
    classId,
    { from: `${from}`, to: `${to}`, net: `${net}`, gross: `${gross}`, ratePpm },
  ])
  const byClass = Object.fromEntries(classes)
  // Products without a class have the default one.
  return JSON.stringify({ ...byClass, '': terms.defaultClassId ? byClass[terms.defaultClassId] : undefined })
}

const factor = (name: string) => `coalesce((tax_class.prices ->> '${name}')::numeric, 1)`

/**
 * SQL of the lateral joins that give the factors of product `p` at the place as `at_place`, for `priceSql`, `netPriceSql`
 * and `TAX_RATE`. `placeholder` is that of `readPricesAtPlace`.
 */
export const joinPricesAtPlace = (placeholder: string, product = 'p') => `
  cross join lateral (
    select ${placeholder}::jsonb -> coalesce(${product}.tax_class_id::text, '') as prices) tax_class
  cross join lateral (
    select ${factor('from')} as "from", ${factor('to')} as "to", ${factor('net')} as net, ${factor('gross')} as gross,
      coalesce((tax_class.prices ->> 'ratePpm')::numeric, 0) as rate_ppm) at_place`

/** SQL: `amount × numerator ÷ denominator` of an amount from 0, rounded as `proportion` does. */
const proportionSql = (amount: string, numerator: string, denominator: string) =>
  `div(${amount} * ${numerator} + div(${denominator}, 2), ${denominator})`

const atPlaceSql = (enteredMinor: string) =>
  `case when at_place."from" = at_place."to" then (${enteredMinor})::numeric
    else ${proportionSql(`(${enteredMinor})`, 'at_place."to"', 'at_place."from"')} end`

/** SQL of the price at the place of an entered one (minor units), in major units. */
export const priceSql = (enteredMinor: string) => `${atPlaceSql(enteredMinor)} * ${UNIT}`

/** SQL of the net price at the place of an entered one (minor units), in major units. */
export const netPriceSql = (enteredMinor: string) => `
  case when at_place.net = at_place.gross then ${atPlaceSql(enteredMinor)}
    else ${atPlaceSql(enteredMinor)}
      - ${proportionSql(`(${atPlaceSql(enteredMinor)})`, '(at_place.gross - at_place.net)', 'at_place.gross')}
  end * ${UNIT}`

/** SQL of the tax of a product, in percent of its net price. */
export const TAX_RATE = 'trim_scale(at_place.rate_ppm / 10000)'
