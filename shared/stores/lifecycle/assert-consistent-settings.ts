import { assertPlace } from '#shared/geo/place.ts'
import { invalid } from '#shared/platform/validation.ts'
import type { Store } from '#shared/stores/store.ts'

/**
 * Throws 422 if the default language is not one of the languages, for an unknown country, and for prices that include
 * tax without a country.
 */
export function assertConsistentSettings({
  languages,
  defaultLanguage,
  country,
  pricesIncludeTax,
}: Pick<Store, 'languages' | 'defaultLanguage' | 'country' | 'pricesIncludeTax'>): void {
  if (!languages.includes(defaultLanguage))
    throw invalid(['default_language'], 'The default language must be one of the languages', defaultLanguage)
  if (country !== null) assertPlace({ country })
  else if (pricesIncludeTax)
    throw invalid(
      ['country'],
      'Prices that include tax contain the rates of a country. Choose the country',
      country,
    )
}
