import { type Place, placeJson } from '#shared/geo/place.ts'
import { queryJson, type ReadScope } from '#shared/platform/db/query-json.ts'
import type { Statement } from '#shared/platform/db/statement.ts'
import { NO_TAX, TAX_RULES, type TaxRules, withZones } from './tax-rules.ts'

const FIND_TAX_RULES: Statement = {
  name: 'find_tax_rules',
  text: `with ${withZones('$1::jsonb')} select ${TAX_RULES}::text as json`,
}

/** Finds the tax rules of a sale to a place. */
export async function findTaxRules(scope: ReadScope, place: Place): Promise<TaxRules> {
  const [rules] = await queryJson<TaxRules>(scope, FIND_TAX_RULES, [placeJson(place)])
  return rules ?? NO_TAX
}
