import type { StoreAccount } from '#shared/identity/principal.ts'
import type { ApiToken, StaffMember, SuperAdmin } from './access.ts'

/** The callers that a handler's argument can name. At most one is set. */
export interface Callers {
  staff?: StaffMember | ApiToken
  superAdmin?: SuperAdmin
  /** Someone who changes their own account. A mailed link has no session. */
  account?: StoreAccount & { sessionId: string | null }
}

/** A caller whose changes are written to the audit log. */
export type Caller = NonNullable<Callers['staff' | 'superAdmin' | 'account']>

/** The caller, if it is staff or a super-admin; undefined for customers and anonymous callers. */
export const callerOf = ({ staff, superAdmin, account }: Callers): Caller | undefined =>
  superAdmin ?? staff ?? (account?.type === 'staff' ? account : undefined)
