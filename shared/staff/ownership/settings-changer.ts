import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { findStaffEmail, findStaffMember } from '#shared/staff/staff-member.ts'

/** Who changes the settings. `memberId`: the member of the staff, or the one who created the API token. */
export type SettingsChanger =
  | { type: 'staff' | 'api_token'; memberId: string }
  | { type: 'super_admin'; email: string }

/** Who changes the domains. A worker verifies a domain that a member claimed, if a member did. */
export type DomainChanger = SettingsChanger | { type: 'verification'; claimedBy: string | null }

/**
 * Returns the actor by whom mails to the owner are limited; null without a limit. An API token is an actor apart from
 * its creator, so that a token of the owner is limited. A verification needs no limit: it changes the primary domain
 * only of a store without one, and repeating it needs a deletion, which is limited.
 */
export function actorIdOf(changer: DomainChanger): string | null {
  if (changer.type === 'super_admin' || changer.type === 'verification') return null
  return changer.type === 'staff' ? changer.memberId : `token of ${changer.memberId}`
}

/**
 * Returns the address of who makes the change; null if nobody of the staff claimed a verified domain, or the member who
 * did is gone. Throws `resource.not_found` if another changer is gone.
 */
export function emailOf(tx: StoreTx, changer: SettingsChanger): Promise<string>
export function emailOf(tx: StoreTx, changer: DomainChanger): Promise<string | null>
export async function emailOf(tx: StoreTx, changer: DomainChanger): Promise<string | null> {
  if (changer.type === 'super_admin') return changer.email
  if (changer.type === 'verification') return changer.claimedBy && findStaffEmail(tx, changer.claimedBy)
  return (await findStaffMember(tx, changer.memberId)).email
}
