import { holds, type Right, type RightsHolder } from '#shared/staff/rights.ts'

/** The rights that the entries of each audited action require. */
const readersOf = new Map<string, Right[]>()

/**
 * The resources that describe the store's staff. Their entries need `users:read`, even if the action needs none: staff
 * change their own account, and super-admins the owner.
 */
const STAFF_RESOURCES: ReadonlySet<string> = new Set(['users', 'owner', 'sessions', 'identity-links'])

/**
 * Records the rights to read the audit entries of an action. They are the read rights of the areas that the action
 * needs, and of the area of its resource.
 */
export function declareAction({ action, resource }: DeclaredAction, rights: readonly Right[]): void {
  const ofResource: Right[] = STAFF_RESOURCES.has(resource) ? ['users:read'] : []
  readersOf.set(action, [...rights.map(toReading), ...ofResource])
}

interface DeclaredAction {
  action: string
  /** The type of the changed resource. */
  resource: string
}

/** Returns the actions whose audit entries a staff member or an API token may not read. */
export const hiddenActions = (holder: RightsHolder): string[] =>
  [...readersOf].filter(([, rights]) => !holds(holder, rights)).map(([action]) => action)

/** Converts a right to the right to read its area. The rights to refund and to mark as paid belong to sales. */
const toReading = (right: Right): Right =>
  right === 'refund' || right === 'mark_paid' ? 'sales:read' : (right.replace(':write', ':read') as Right)
