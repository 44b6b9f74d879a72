import type { Place } from '#shared/geo/place.ts'
import { currencyDigits } from '#shared/platform/money.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { Store } from '#shared/stores/store.ts'
import { stockStatusNames } from './stock-status-names.ts'

/** The context of a storefront request: its store, language and catalog version, and the place of its prices. */
export interface StorefrontContext {
  store: Store
  language: string
  catalogVersion: string
  /** Null if no country is known. Then no tax is known either. */
  place: Place | null
}

/** The placeholders that every storefront statement starts with, in the sequence of `contextValues`. */
export const LANGUAGE = '$1::text'
export const DEFAULT_LANGUAGE = '$2::text'
/** One minor unit in major units, e.g. 0.01. Multiplication by it is exact. */
export const UNIT = '$3::numeric'
export const AT = '$4::timestamptz'
export const IN_STOCK = '$5::text'
export const OUT_OF_STOCK = '$6::text'
export const ON_BACKORDER = '$7::text'
/** The number of the first placeholder after the context's values. */
export const FIRST_OWN_VALUE = 8

export function contextValues({ store, language }: StorefrontContext): string[] {
  const digits = currencyDigits(store.currency)
  const unit = digits === 0 ? '1' : `0.${'1'.padStart(digits, '0')}`
  const { inStock, outOfStock, onBackorder } = stockStatusNames(language)
  return [language, store.defaultLanguage, unit, now().toISOString(), inStock, outOfStock, onBackorder]
}
