import { holds, type Right, type RightsHolder } from '#shared/staff/rights.ts'

/** The rights that it takes to read the entries of each audited action. */
const readersOf = new Map<string, Right[]>()

/** Records who may read the audit entries of an action: those who may read the areas that it takes to do it. */
export function declareAction(action: string, rights: readonly Right[]): void {
  readersOf.set(action, rights.map(toReading))
}

/** The actions whose audit entries a staff member or an API token may not read. */
export const hiddenActions = (holder: RightsHolder): string[] =>
  [...readersOf].filter(([, rights]) => !holds(holder, rights)).map(([action]) => action)

/** The rights to refund and to mark as paid are rights on sales. */
const toReading = (right: Right): Right =>
  right === 'refund' || right === 'mark_paid' ? 'sales:read' : (right.replace(':write', ':read') as Right)
