/** Areas of the admin API that a role may read or write (interface document, section 5.3). */
export const AREAS = [
  'catalog',
  'sales',
  'customers',
  'content',
  'marketing',
  'reports',
  'tax',
  'users',
  'system',
] as const
export type Area = (typeof AREAS)[number]
export type Right = `${Area}:read` | `${Area}:write` | 'refund' | 'mark_paid'

const write = (...areas: Area[]): Right[] =>
  areas.flatMap((area): Right[] => [`${area}:read`, `${area}:write`])
const read = (...areas: Area[]): Right[] => areas.map((area): Right => `${area}:read`)
const all: Right[] = [...write(...AREAS), 'refund', 'mark_paid']

/** What each preset role may do (decisions, section 4). */
export const PRESET_ROLES: Readonly<Record<string, readonly Right[]>> = {
  owner: all,
  administrator: all,
  catalog: write('catalog'),
  sales: [...write('sales', 'customers'), ...read('catalog')],
  accounting: [...read('customers', 'reports', 'tax'), ...write('sales'), 'refund', 'mark_paid'],
  support: [...write('sales', 'customers', 'content'), ...read('catalog')],
  marketing: [...write('marketing', 'content'), ...read('catalog', 'reports')],
  content: [...write('content'), ...read('catalog')],
  analyst: read('catalog', 'sales', 'customers', 'marketing', 'reports'),
}

/** What a role may do; nothing for a role that there is not. */
export const rightsOf = (role: string): readonly Right[] => PRESET_ROLES[role] ?? []

export const roleHas = (role: string, right: Right): boolean => rightsOf(role).includes(right)
