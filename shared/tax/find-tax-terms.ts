import { type Place, placeJson } from '#shared/geo/place.ts'
import { queryJson, type ReadScope } from '#shared/platform/db/json-query.ts'
import type { Statement } from '#shared/platform/db/statement.ts'
import { NO_TAX, TAX_TERMS, type TaxTerms, withZones } from './tax-terms.ts'

const FIND_TAX_TERMS: Statement = {
  name: 'find_tax_terms',
  text: `with ${withZones('$1::jsonb')} select ${TAX_TERMS}::text as json`,
}

/** Finds the taxes of a sale to a place. */
export async function findTaxTerms(scope: ReadScope, place: Place): Promise<TaxTerms> {
  const [terms] = await queryJson<TaxTerms>(scope, FIND_TAX_TERMS, [placeJson(place)])
  return terms ?? NO_TAX
}
