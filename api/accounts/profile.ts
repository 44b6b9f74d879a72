import type { Static } from 'typebox'
import { changeCustomer } from '#shared/customers/change-customer.ts'
import { findCustomer } from '#shared/customers/find-customer.ts'
import type { StoreTx } from '#shared/platform/store-scope.ts'
import { ValidationError } from '#shared/platform/validation.ts'
import { findStaffMember } from '#shared/staff/find-staff-member.ts'
import { renameStaffMember } from '#shared/staff/rename-staff-member.ts'
import type { Account } from '../platform/access.ts'
import type { ProfileChanges } from './schemas.ts'
import { viewCustomerProfile, viewStaffProfile } from './view.ts'

type Changes = Static<typeof ProfileChanges>

/** What an account sees of itself. */
export async function readProfile(tx: StoreTx, { type, id }: Account) {
  return type === 'customer'
    ? viewCustomerProfile(await findCustomer(tx, id))
    : viewStaffProfile(await findStaffMember(tx, id))
}

/** Changes what an account may change of itself. */
export async function changeProfile(tx: StoreTx, { type, id }: Account, changes: Changes) {
  const { accepts_marketing: acceptsMarketing, ...rest } = changes
  if (type === 'customer')
    return viewCustomerProfile(await changeCustomer(tx, id, { ...rest, acceptsMarketing }))
  assertForStaff(changes)
  return viewStaffProfile(await renameStaffMember(tx, id, changes))
}

const CUSTOMERS_ONLY = ['telephone', 'accepts_marketing'] as const

function assertForStaff(changes: Changes): void {
  const extra = CUSTOMERS_ONLY.filter((name) => name in changes)
  if (extra.length)
    throw new ValidationError(
      extra.map((name) => ({
        loc: ['body', name],
        msg: 'Extra inputs are not permitted',
        type: 'extra_forbidden',
      })),
    )
}
