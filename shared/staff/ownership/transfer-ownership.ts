import { queueMail, toRecipient } from '#shared/mail/queue-mail.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { invalid } from '#shared/platform/validation.ts'
import { StaffErrors } from '#shared/staff/errors.ts'
import { ownershipTransferredMail } from '#shared/staff/mails/ownership-transferred.ts'
import { OWNER_ROLE } from '#shared/staff/rights.ts'
import { lockOwner, lockRoster } from '#shared/staff/roster.ts'
import { claimStaffEmail } from '#shared/staff/staff-email.ts'
import { findOwnerIfAny, lockStaffMember, StaffMember } from '#shared/staff/staff-member.ts'
import { endConsent } from '#shared/staff/support-consent.ts'
import { resetLinks } from '#shared/stores/lifecycle/reset-links.ts'
import { type LinkedPage, STAFF_PAGES } from '#shared/stores/settings/links.ts'
import { voidStaffLinks } from './void-staff-links.ts'

/** An identity provider, as the mail and the response name it. */
interface NamedProvider {
  code: string
  name: string
}

/**
 * Deactivates the store's identity providers for staff and returns them. Staff may not import identity providers, so
 * the caller of a transfer passes this in.
 */
export type DeactivateProviders = (tx: StoreTx) => Promise<NamedProvider[]>

export interface TransferRequest {
  successorId: string
  /** The address of the super-admin who transfers the store; null for the owner. */
  superAdmin: string | null
  deactivateProviders: DeactivateProviders
}

export interface OwnershipTransfer {
  owner: StaffMember
  deactivatedProviders: NamedProvider[]
  resetLinks: LinkedPage[]
}

/**
 * Makes an active staff member the store's owner, and notifies both. The previous owner becomes an administrator, and
 * the consent to changes by support sessions ends. What only an owner sets up could sign the previous owner in to every
 * staff account, also after their own is deleted. So the identity providers for staff are deactivated, and mails to
 * staff link to the default pages. The links that were mailed before are void, because a page of the previous owner may
 * have received their tokens. Throws `resource.not_found` for an unknown member, 422 for a member who cannot be the
 * owner, `user.email_unproven`, and `auth.email_taken` if another account took the address while the store was closed.
 */
export async function transferOwnership(
  tx: StoreTx,
  { successorId, superAdmin, deactivateProviders }: TransferRequest,
): Promise<OwnershipTransfer> {
  await lockRoster(tx)
  // Lock the providers before the accounts, as a sign-in by a provider does.
  const deactivatedProviders = await deactivateProviders(tx)
  await voidStaffLinks(tx)
  const successor = await lockStaffMember(tx, successorId)
  if (successor.isOwner || !successor.isActive)
    throw invalid(['user_id'], 'Choose another, active member of the staff as the new owner', successorId)
  // The mailbox can be a stranger's, who would own the store and could not leave it.
  if (!successor.verifiedAt) throw StaffErrors.emailUnproven()
  await claimStaffEmail(tx, { id: successor.id, isOwner: true }, successor.emailNormalized)
  // Demote the owner first, because a unique index allows only one.
  const owner = await findOwnerIfAny(tx)
  if (owner) await demote(tx, owner)
  const promoted = await StaffMember.in(tx).patchAndFetchById(successor.id, {
    isOwner: true,
    role: OWNER_ROLE,
    updatedAt: nextUpdatedAt(successor),
  })
  // The new owner has consented to nothing.
  await endConsent(tx)
  const transfer = {
    owner: promoted,
    deactivatedProviders,
    resetLinks: await resetLinks(tx, STAFF_PAGES),
  }
  await notify(tx, owner, transfer, superAdmin)
  return transfer
}

async function demote(tx: StoreTx, owner: StaffMember): Promise<void> {
  const change = { isOwner: false, role: 'administrator', updatedAt: nextUpdatedAt(owner) }
  await StaffMember.in(tx).findById(owner.id).patch(change)
  await claimStaffEmail(tx, { id: owner.id, isOwner: false }, owner.emailNormalized)
}

async function notify(
  tx: StoreTx,
  former: StaffMember | undefined,
  { owner: successor, deactivatedProviders, resetLinks }: OwnershipTransfer,
  superAdmin: string | null,
): Promise<void> {
  const data = {
    at: now().toISOString(),
    former_owner: former?.email ?? null,
    new_owner: successor.email,
    super_admin: superAdmin,
    deactivated_providers: deactivatedProviders.map(({ code, name }) => `${name} (${code})`),
    reset_links: resetLinks,
  }
  for (const { id, email } of [former, successor].flatMap((member) => member ?? []))
    await queueMail(tx, ownershipTransferredMail, toRecipient({ id, email }), data)
}

/**
 * Transfers the store on behalf of its owner. Throws `user.owner_only`, `resource.not_found` for an unknown member, 422
 * for a member who cannot be the owner, and `user.email_unproven`.
 */
export async function transferOwnershipAs(
  tx: StoreTx,
  actorId: string,
  request: Omit<TransferRequest, 'superAdmin'>,
): Promise<OwnershipTransfer> {
  await lockOwner(tx, actorId)
  return transferOwnership(tx, { ...request, superAdmin: null })
}
