import { currencyDigits } from '#shared/platform/money.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { Store } from '#shared/stores/store.ts'
import { stockStatusNames } from './stock-status-names.ts'

/** Who reads the catalog: a store's visitor, the language that suits them, and the catalog's version at that moment. */
export interface StorefrontContext {
  store: Store
  language: string
  catalogVersion: string
}

/** The values that every storefront statement starts with, in the order of `storefront-sql.ts`. */
export function contextValues({ store, language }: StorefrontContext): string[] {
  const digits = currencyDigits(store.currency)
  const unit = digits === 0 ? '1' : `0.${'1'.padStart(digits, '0')}`
  const { inStock, outOfStock, onBackorder } = stockStatusNames(language)
  return [language, store.defaultLanguage, unit, now().toISOString(), inStock, outOfStock, onBackorder]
}
