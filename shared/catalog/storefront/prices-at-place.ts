import { type StorefrontContext, UNIT } from '#shared/catalog/storefront-context/context.ts'
import { bytesOfText, versionedCache } from '#shared/catalog/storefront-context/versioned-cache.ts'
import { findTaxRules } from '#shared/tax/find-tax-rules.ts'
import { pricesByClass } from '#shared/tax/price-at-place.ts'
import { NO_TAX, type TaxRules } from '#shared/tax/tax-rules.ts'

const cachePrices = versionedCache<string>(10_000, bytesOfText)

/**
 * The factors of the prices at the context's place as JSON, by tax class: the parameter of `joinPricesAtPlace`. Read
 * once a catalog version and place.
 */
export function readPricesAtPlace(context: StorefrontContext): Promise<string> {
  const { store, place } = context
  if (!place) return Promise.resolve(toJson(NO_TAX))
  return cachePrices(context, place, async () => toJson(await findTaxRules({ storeId: store.id }, place)))
}

/** Whole numbers as text: they may exceed what a JSON number holds exactly. */
function toJson(rules: TaxRules): string {
  const classes = [...pricesByClass(rules)].map(([classId, { from, to, net, gross, ratePpm }]) => [
    classId,
    { from: `${from}`, to: `${to}`, net: `${net}`, gross: `${gross}`, ratePpm },
  ])
  const byClass = Object.fromEntries(classes)
  // Products without a class have the default one.
  return JSON.stringify({ ...byClass, '': rules.defaultClassId ? byClass[rules.defaultClassId] : undefined })
}

const factor = (name: string) => `coalesce((tax_class.prices ->> '${name}')::numeric, 1)`

/**
 * SQL of the lateral join that gives the factors of product `p` at the place as `at_place`, for `priceSql`,
 * `netPriceSql` and `TAX_RATE`. `placeholder` is that of `readPricesAtPlace`. Each `offset 0` makes PostgreSQL read the
 * factors once a product instead of once a price.
 */
export const joinPricesAtPlace = (placeholder: string, product = 'p') => `
  cross join lateral (
    select factors.*, div("from", 2) as from_half, gross - 1 - div(gross, 2) as gross_half,
      "from" = "to" as is_entered, "from" = "to" and net = gross as is_entered_net
    from (select ${placeholder}::jsonb -> coalesce(${product}.tax_class_id::text, '') as prices offset 0) tax_class
    cross join lateral (
      select ${factor('from')} as "from", ${factor('to')} as "to", ${factor('net')} as net, ${factor('gross')} as gross,
        coalesce((tax_class.prices ->> 'ratePpm')::numeric, 0) as rate_ppm
      offset 0) factors
    offset 0) at_place`

const atPlaceSql = (enteredMinor: string) =>
  `div((${enteredMinor}) * at_place."to" + at_place.from_half, at_place."from")`

// The divisions return the amount itself where nothing changes. The cases only save their time: most prices are shown
// as they were entered.

/**
 * SQL of the price at the place of an entered one (minor units from 0), in major units. Rounds as `proportion` does.
 */
export const priceSql = (enteredMinor: string) =>
  `case when at_place.is_entered then ${enteredMinor} else ${atPlaceSql(enteredMinor)} end * ${UNIT}`

/**
 * SQL of the net price at the place of an entered one (minor units from 0), in major units. The tax is what
 * `proportion` rounds, so half a unit goes to it: the net part is rounded down there.
 */
export const netPriceSql = (enteredMinor: string) =>
  `case when at_place.is_entered_net then ${enteredMinor}
    else div(${atPlaceSql(enteredMinor)} * at_place.net + at_place.gross_half, at_place.gross) end * ${UNIT}`

/** SQL of the tax of a product, in percent of its net price. */
export const TAX_RATE = 'trim_scale(at_place.rate_ppm / 10000)'
