import { StaffErrors } from '../staff/errors.ts'
import type { Audience } from './identity-provider.ts'

/** Whoever changes how people sign in. */
export interface Acting {
  isOwner: boolean
}

/**
 * Who says who the staff are can be any of them, the owner too. So that is the owner's business alone: throws
 * `user.owner_only`.
 */
export function assertMayChange({ isOwner }: Acting, { audience }: { audience: Audience }): void {
  if (audience === 'staff' && !isOwner) throw StaffErrors.ownerOnly()
}
