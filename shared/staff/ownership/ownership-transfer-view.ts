import { type Static, Type } from 'typebox'
import { Shape } from '#shared/platform/http/schema.ts'
import { staffMemberProperties, viewStaffMember } from '#shared/staff/staff-member.ts'
import type { OwnershipTransfer } from './transfer-ownership.ts'

export const OwnershipTransferView = Shape({
  ...staffMemberProperties,
  deactivated_providers: Type.Array(Type.String(), {
    description: 'The codes of the identity providers for staff that were active',
  }),
  reset_links: Type.Array(Type.String(), {
    description: 'The pages of mails to staff that had another URL in `links` of the settings',
  }),
})

/** Returns the new owner, and which means of the former owner to sign in to the store have ended. */
export const viewOwnershipTransfer = ({
  owner,
  deactivatedProviders,
  resetLinks,
}: OwnershipTransfer): Static<typeof OwnershipTransferView> => ({
  ...viewStaffMember(owner),
  deactivated_providers: deactivatedProviders.map(({ code }) => code),
  reset_links: resetLinks,
})
