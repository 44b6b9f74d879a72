import type { Knex } from 'knex'
import { lockStaffEmail, normalizeEmail } from '#shared/identity/email.ts'
import { principalOf } from '#shared/identity/principal.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { lockIfClosed } from '#shared/stores/store.ts'
import { StaffErrors } from './errors.ts'
import { lockStaffMember, StaffMember } from './staff-member.ts'

/**
 * Claims an e-mail address for an active staff member, and frees the previous one. An address is unique on the platform
 * among active staff and super-admins. The second of two concurrent claims throws `auth.email_taken`. The address of a
 * member of a closed store is taken over, unless the member is its owner.
 */
export async function claimStaffEmail(
  tx: StoreTx,
  { id, isOwner }: Pick<StaffMember, 'id' | 'isOwner'>,
  emailNormalized: string,
): Promise<void> {
  await lockStaffEmail(tx.knex, emailNormalized)
  const holderId = await lockHolderId(tx.knex, emailNormalized)
  if (holderId !== null && holderId !== id) throw StaffErrors.emailTaken()
  if (await isSuperAdminEmail(tx, emailNormalized)) throw StaffErrors.emailTaken()
  await tx
    .knex('staff_directory')
    .insert({ email_normalized: emailNormalized, store_id: tx.storeId, staff_id: id, is_owner: isOwner })
    .onConflict('email_normalized')
    .merge()
  await entriesOf(tx, id).whereNot('email_normalized', emailNormalized).delete()
}

/** Frees the address of a staff member who is deactivated: another account may claim it. */
export async function releaseStaffEmail(tx: StoreTx, staffId: string): Promise<void> {
  await entriesOf(tx, staffId).delete()
}

/** Returns a query of the directory's entries of a staff member: one, or none of a deactivated member. */
const entriesOf = ({ knex, storeId }: StoreTx, staffId: string) =>
  knex('staff_directory').where({ store_id: storeId, staff_id: staffId })

/** Selects the active members without an entry: while their store was closed, others took their addresses over. */
export const displacedMembers = (tx: StoreTx) =>
  StaffMember.in(tx)
    .where('is_active', true)
    .whereNotIn('id', tx.knex('staff_directory').select('staff_id').where('store_id', tx.storeId))

/** Whether an address belongs to an active staff member of any store or to a super-admin. See `claimStaffEmail`. */
export const isStaffEmail = async (tx: StoreTx, emailNormalized: string): Promise<boolean> =>
  (await lockHolderId(tx.knex, emailNormalized)) !== null || isSuperAdminEmail(tx, emailNormalized)

/**
 * Frees an address for a super-admin if a member of a closed store has it. Throws `auth.email_taken` for the address of
 * any other active staff member. The caller has locked the address.
 */
export async function freeDisplacedEmail(knex: Knex, emailNormalized: string): Promise<void> {
  if (await lockHolderId(knex, emailNormalized)) throw StaffErrors.emailTaken()
  await knex('staff_directory').where('email_normalized', emailNormalized).delete()
}

/**
 * Locks an address and returns the id of its staff member; null if it is free. In a closed store, only the address of
 * the owner is not free, because nobody else could leave that store. The store stays closed until the transaction ends.
 */
async function lockHolderId(knex: Knex, emailNormalized: string): Promise<string | null> {
  // Wait for a deactivation or deletion in progress.
  const entry = await knex('staff_directory').where('email_normalized', emailNormalized).forUpdate().first()
  if (!entry || (!entry.is_owner && (await lockIfClosed(knex, entry.store_id)))) return null
  return entry.staff_id
}

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
  if (emailNormalized !== member.emailNormalized) await claimStaffEmail(tx, member, emailNormalized)
  await StaffMember.in(tx)
    .findById(id)
    .patch({ email, emailNormalized, verifiedAt: now(), updatedAt: nextUpdatedAt(member) })
}

/** Records that a mailed link proved the address. Returns whether it is the first proof of this address. */
export async function markStaffEmailVerified(tx: StoreTx, id: string): Promise<boolean> {
  const proven = await StaffMember.in(tx).where({ id }).whereNull('verified_at').patch({ verifiedAt: now() })
  return proven > 0
}
