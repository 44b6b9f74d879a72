import type { Context } from './events.ts'
import { list, type Params } from './params.ts'

const TABLES = {
  latest_charge: 'charges',
  charge: 'charges',
  payment_intent: 'payment_intents',
  customer: 'customers',
  payment_method: 'payment_methods',
} as const

/** Replaces ids by their objects, one level deep: `expand[]=latest_charge`. */
export function expand({ books }: Context, answer: object, params: Params): object {
  const expanded: Record<string, unknown> = { ...answer }
  for (const path of list(params, 'expand')) {
    const field = path.replace(/^data\./, '')
    if (!Object.hasOwn(TABLES, field)) continue
    const table = TABLES[field as keyof typeof TABLES]
    const swap = (row: Record<string, unknown>) =>
      typeof row[field] === 'string' ? { ...row, [field]: books.find(table, row[field]) } : row
    if (path === field) Object.assign(expanded, swap(expanded))
    else expanded.data = (expanded.data as Record<string, unknown>[]).map(swap)
  }
  return expanded
}
