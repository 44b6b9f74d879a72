import { type StorefrontContext, UNIT } from '#shared/catalog/storefront-context/context.ts'
import { bytesOfText, versionedCache } from '#shared/catalog/storefront-context/versioned-cache.ts'
import { Money } from '#shared/platform/http/schema.ts'
import { findTaxRules } from '#shared/tax/find-tax-rules.ts'
import { priceFactorsByClass } from '#shared/tax/price-converter.ts'
import { NO_TAX, type TaxRules } from '#shared/tax/tax-rules.ts'

const cachePrices = versionedCache<string>(10_000, bytesOfText)

/**
 * Returns the factors of prices at the context's place as JSON by tax class, for `joinPricesAtPlace`. They are read
 * once for each catalog version and place.
 */
export function readPricesAtPlace(context: StorefrontContext): Promise<string> {
  const { store, place } = context
  if (!place) return Promise.resolve(toJson(NO_TAX))
  return cachePrices(context, place, async () => toJson(await findTaxRules({ storeId: store.id }, place)))
}

/** Writes whole numbers as text, because they may be too large for exact JSON numbers. */
function toJson(rules: TaxRules): string {
  const classes = [...priceFactorsByClass(rules)].map(([classId, { from, to, net, gross, ratePpm }]) => [
    classId,
    { from: `${from}`, to: `${to}`, net: `${net}`, gross: `${gross}`, ratePpm },
  ])
  const byClass = Object.fromEntries(classes)
  // Products without a class have the default one.
  return JSON.stringify({ ...byClass, '': rules.defaultClassId ? byClass[rules.defaultClassId] : undefined })
}

const factor = (name: string) => `coalesce((tax_class.prices ->> '${name}')::numeric, 1)`

/**
 * SQL of the lateral join `at_place` with the factors of product `p` at the place, for `priceSql`, `netPriceSql` and
 * `TAX_RATE`. `placeholder` is the parameter with the value of `readPricesAtPlace`. Each `offset 0` makes PostgreSQL
 * read the factors once for each product instead of each price.
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

// If nothing changes, the divisions return the amount itself. The cases only save time, because most prices are shown
// as entered.

/**
 * SQL that converts an entered price (minor units from 0) to the price at the place, in major units. It rounds as
 * `proportion` does.
 */
export const priceSql = (enteredMinor: string) =>
  `case when at_place.is_entered then ${enteredMinor} else ${atPlaceSql(enteredMinor)} end * ${UNIT}`

export const NetPrice = { ...Money, description: 'Without tax' }

/**
 * SQL that converts an entered price (minor units from 0) to the net price at the place, in major units. `proportion`
 * rounds the tax half up, so this rounds the net price half down.
 */
export const netPriceSql = (enteredMinor: string) =>
  `case when at_place.is_entered_net then ${enteredMinor}
    else div(${atPlaceSql(enteredMinor)} * at_place.net + at_place.gross_half, at_place.gross) end * ${UNIT}`

/** SQL of the tax of a product, in percent of its net price. */
export const TAX_RATE = 'trim_scale(at_place.rate_ppm / 10000)'
