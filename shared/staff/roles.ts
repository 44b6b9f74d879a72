/** Areas of the admin API that a role may read or write (interface document, section 5.3). */
const AREAS = [
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

/** Every right there is. */
export const RIGHTS: readonly Right[] = [...write(...AREAS), 'refund', 'mark_paid']

/** What each preset role may do (decisions, section 4). */
export const PRESET_ROLES: Readonly<Record<string, readonly Right[]>> = {
  owner: RIGHTS,
  administrator: RIGHTS,
  catalog: write('catalog'),
  sales: [...write('sales', 'customers'), ...read('catalog')],
  accounting: [...read('customers', 'reports', 'tax'), ...write('sales'), 'refund', 'mark_paid'],
  support: [...write('sales', 'customers', 'content'), ...read('catalog')],
  marketing: [...write('marketing', 'content'), ...read('catalog', 'reports')],
  content: [...write('content'), ...read('catalog')],
  analyst: read('catalog', 'sales', 'customers', 'marketing', 'reports'),
}

/** The role of the store's one owner: it changes hands, and is never given. */
export const OWNER_ROLE = 'owner'

/** A role may have any name that a store likes, so names are looked up among our own properties alone. */
export const isPreset = (role: string): boolean => Object.hasOwn(PRESET_ROLES, role)

/** Someone or something that holds rights. */
export interface Holder {
  rights: readonly Right[]
}

/**
 * What a role may do. `ownRights` are those that the store keeps for a role of its own making; rights that the
 * service no longer knows count for nothing, and so does a role that there is not.
 */
export const rightsOf = (role: string, ownRights: readonly string[] | null = null): readonly Right[] =>
  isPreset(role) ? (PRESET_ROLES[role] ?? []) : knownRights(ownRights ?? [])

/** Those of the kept rights that there are, in their usual order. */
export const knownRights = (kept: readonly string[]): Right[] =>
  RIGHTS.filter((right) => kept.includes(right))

/** Whether a holder holds every one of these rights. */
export const holds = ({ rights }: Holder, asked: readonly Right[]): boolean =>
  asked.every((right) => rights.includes(right))

/** Whether a holder is an administrator: one who holds all rights, and so can give any of them back. */
export const isAdmin = (holder: Holder): boolean => holds(holder, RIGHTS)
