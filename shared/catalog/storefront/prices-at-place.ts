import {
  contextValues,
  FIRST_OWN_VALUE,
  type StorefrontContext,
  UNIT,
} from '#shared/catalog/storefront-context/context.ts'
import { bytesOfText, versionedCache } from '#shared/catalog/storefront-context/versioned-cache.ts'
import { Money } from '#shared/platform/http/schema.ts'
import { findTaxRules } from '#shared/tax/find-tax-rules.ts'
import { type PriceFactors, priceFactorsByClass } from '#shared/tax/price-converter.ts'
import { NO_TAX, type TaxRules } from '#shared/tax/tax-rules.ts'

/** The placeholder of the factors by tax class, after the values of the context. */
const FACTORS = `$${FIRST_OWN_VALUE}::jsonb`
/** The number of the first placeholder after `PricesAtPlace.values`. */
export const FIRST_VALUE_AFTER_PRICES = FIRST_OWN_VALUE + 1

/**
 * The SQL by which a statement shows prices at the place of the request. `price` and `netPrice` convert an entered
 * price (minor units from 0) to major units.
 */
export interface PriceSql {
  /** Part of the name of a statement with these prices. */
  name: 'entered' | 'converted'
  /** The join that the prices of a product with this alias need. */
  join(product: string): string
  price(enteredMinor: string): string
  netPrice(enteredMinor: string): string
  /** The tax of product `p`, in percent of its net price. */
  taxRate: string
}

export interface PricesAtPlace {
  sql: PriceSql
  /** The values of the context and the factors, which a statement with `sql` starts with. */
  values: string[]
}

/** Returns the SQL and the values with which a statement shows prices at the context's place. */
export async function readPricesAtPlace(context: StorefrontContext): Promise<PricesAtPlace> {
  const { areEntered, json } = await readFactors(context)
  return { sql: areEntered ? ENTERED : CONVERTED, values: [...contextValues(context), json] }
}

/** The factors of prices at a place. */
interface Factors {
  /** Whether every price and net price at the place is the entered one. */
  areEntered: boolean
  /** By tax class. */
  json: string
}

const cacheFactors = versionedCache<Factors>(10_000, ({ json }) => bytesOfText(json))

/** Reads the factors once for each catalog version and place. */
function readFactors(context: StorefrontContext): Promise<Factors> {
  const { store, place } = context
  if (!place) return Promise.resolve(toFactors(NO_TAX))
  return cacheFactors(context, place, async () => toFactors(await findTaxRules({ storeId: store.id }, place)))
}

function toFactors(rules: TaxRules): Factors {
  const byClass = priceFactorsByClass(rules)
  const defaultFactors = rules.defaultClassId ? byClass.get(rules.defaultClassId) : undefined
  // Products without a class have the default one.
  const all = defaultFactors ? [...byClass, ['', defaultFactors] as const] : [...byClass]
  return {
    areEntered: all.every(([, { from, to, net, gross }]) => from === to && net === gross),
    json: JSON.stringify(Object.fromEntries(all.map(([classId, factors]) => [classId, toJson(factors)]))),
  }
}

/** Writes whole numbers as text, because they may be too large for exact JSON numbers. */
const toJson = ({ from, to, net, gross, ratePpm }: PriceFactors) => ({
  from: `${from}`,
  to: `${to}`,
  net: `${net}`,
  gross: `${gross}`,
  ratePpm,
})

const factorsOf = (product: string) => `${FACTORS} -> coalesce(${product}.tax_class_id::text, '')`

const taxRateSql = (factors: string) => `trim_scale(coalesce((${factors} ->> 'ratePpm')::numeric, 0) / 10000)`

/**
 * Shows prices as the store entered them, for a place at which every tax class has the entered prices. For a product
 * page it takes PostgreSQL a fifth less time than `CONVERTED`.
 */
export const ENTERED: PriceSql = {
  name: 'entered',
  join: () => '',
  price: (enteredMinor) => `${enteredMinor} * ${UNIT}`,
  netPrice: (enteredMinor) => `${enteredMinor} * ${UNIT}`,
  taxRate: taxRateSql(factorsOf('p')),
}

const factor = (name: string) => `coalesce((tax_class.factors ->> '${name}')::numeric, 1)`

const atPlaceSql = (enteredMinor: string) =>
  `div((${enteredMinor}) * at_place."to" + at_place.from_half, at_place."from")`

/**
 * Converts prices by the factors of the product's tax class. Each `offset 0` makes PostgreSQL read the factors once for
 * each product instead of each price. For a price that does not change, the divisions return the price itself, and the
 * `case` only saves their time.
 */
export const CONVERTED: PriceSql = {
  name: 'converted',
  join: (product) => `
  cross join lateral (
    select factors.*, div("from", 2) as from_half, gross - 1 - div(gross, 2) as gross_half,
      "from" = "to" as is_entered, "from" = "to" and net = gross as is_entered_net
    from (select ${factorsOf(product)} as factors offset 0) tax_class
    cross join lateral (
      select ${factor('from')} as "from", ${factor('to')} as "to", ${factor('net')} as net, ${factor('gross')} as gross,
        ${taxRateSql('tax_class.factors')} as tax_rate
      offset 0) factors
    offset 0) at_place`,
  /** Rounds as `proportion` does. */
  price: (enteredMinor) =>
    `case when at_place.is_entered then ${enteredMinor} else ${atPlaceSql(enteredMinor)} end * ${UNIT}`,
  /** Rounds the net price half down, because `proportion` rounds the tax half up. */
  netPrice: (enteredMinor) =>
    `case when at_place.is_entered_net then ${enteredMinor}
    else div(${atPlaceSql(enteredMinor)} * at_place.net + at_place.gross_half, at_place.gross) end * ${UNIT}`,
  taxRate: 'at_place.tax_rate',
}

export const NetPrice = { ...Money, description: 'Without tax' }
