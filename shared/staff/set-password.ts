import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { StaffMember } from './staff-member.ts'

/** Gives a staff member another password. Sessions and notices are the caller's to see to. */
export async function setStaffPassword(tx: StoreTx, id: string, passwordHash: string): Promise<void> {
  await StaffMember.in(tx).where({ id }).patch({ passwordHash })
}
