import type { Knex } from 'knex'
import { lockStaffEmail, normalizeEmail } from '#shared/identity/email.ts'
import { principalOf } from '#shared/identity/principal.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { StaffErrors } from './errors.ts'
import { lockStaffMember, StaffMember } from './staff-member.ts'

/**
 * Claims an e-mail address for an active staff member, and frees the previous one. An address is unique on the platform
 * among active staff and super-admins. The second of two concurrent claims throws `auth.email_taken`.
 */
export async function claimStaffEmail(tx: StoreTx, staffId: string, emailNormalized: string): Promise<void> {
  await lockStaffEmail(tx.knex, emailNormalized)
  if (await isSuperAdminEmail(tx, emailNormalized)) throw StaffErrors.emailTaken()
  const entered = await tx
    .knex('staff_directory')
    .insert({ email_normalized: emailNormalized, store_id: tx.storeId, staff_id: staffId })
    .onConflict('email_normalized')
    .ignore()
    .returning('staff_id')
  if (!entered.length) throw StaffErrors.emailTaken()
  await entriesOf(tx, staffId).whereNot('email_normalized', emailNormalized).delete()
}

/** Frees the address of a staff member who is deactivated: another account may claim it. */
export async function releaseStaffEmail(tx: StoreTx, staffId: string): Promise<void> {
  await entriesOf(tx, staffId).delete()
}

/** Returns a query of the directory's entries of a staff member: one, or none of a deactivated member. */
const entriesOf = ({ knex, storeId }: StoreTx, staffId: string) =>
  knex('staff_directory').where({ store_id: storeId, staff_id: staffId })

/** Whether an address belongs to an active staff member of any store or to a super-admin. */
export const isStaffEmail = async (tx: StoreTx, emailNormalized: string): Promise<boolean> =>
  (await isInStaffDirectory(tx.knex, emailNormalized)) || isSuperAdminEmail(tx, emailNormalized)

/** Whether an address belongs to an active staff member of any store. */
export const isInStaffDirectory = async (knex: Knex, emailNormalized: string): Promise<boolean> =>
  (await knex('staff_directory').where('email_normalized', emailNormalized).first('staff_id')) !== undefined

// Staff may not import super-admins.
const isSuperAdminEmail = async (tx: StoreTx, emailNormalized: string): Promise<boolean> =>
  (await principalOf('super_admin').isEmailTaken?.(tx, emailNormalized)) ?? false

/**
 * Changes an active staff member's address to a verified one. The caller handles links, sessions and notices. Throws
 * `auth.email_taken` if it belongs to another account.
 */
export async function setStaffEmail(tx: StoreTx, id: string, email: string): Promise<void> {
  const member = await lockStaffMember(tx, id)
  const emailNormalized = normalizeEmail(email)
  if (emailNormalized !== member.emailNormalized) await claimStaffEmail(tx, id, emailNormalized)
  await StaffMember.in(tx)
    .findById(id)
    .patch({ email, emailNormalized, verifiedAt: now(), updatedAt: nextUpdatedAt(member) })
}

/** Records that a mailed link proved the address. Returns whether it is the first proof of this address. */
export async function markStaffEmailVerified(tx: StoreTx, id: string): Promise<boolean> {
  const proven = await StaffMember.in(tx).where({ id }).whereNull('verified_at').patch({ verifiedAt: now() })
  return proven > 0
}
