import type { Static } from 'typebox'
import { account } from '#api/platform/auth/access.ts'
import type { AccountCaller } from '#api/platform/auth/callers.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { updateProfile } from '#shared/customers/account/update-profile.ts'
import { assertLanguage } from '#shared/customers/assert-language.ts'
import { findCustomer } from '#shared/customers/customer.ts'
import { readTwoFactor, type TwoFactorState } from '#shared/identity/two-factor/two-factor.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { ValidationError } from '#shared/platform/validation.ts'
import { updateStaffName } from '#shared/staff/members/update-staff-name.ts'
import { rightsOfRole } from '#shared/staff/role.ts'
import { findStaffMember, type StaffMember } from '#shared/staff/staff-member.ts'
import type { Store } from '#shared/stores/store.ts'
import { profileExample } from './examples.ts'
import { UpdateProfileRequest } from './schemas.ts'
import { ProfileView, viewCustomerProfile, viewStaffProfile } from './view.ts'

export const readMe = endpoint({
  method: 'get',
  path: '/auth/me',
  access: account,
  summary: 'Read your own profile',
  returns: [200, ProfileView],
  example: { data: profileExample },
  async handle({ tx, account }) {
    return readProfile(tx, account)
  },
})

export const updateMe = endpoint({
  method: 'patch',
  path: '/auth/me',
  access: account,
  audit: { action: 'patchAuthMe', resource: 'users' },
  summary: 'Change your own profile',
  description:
    'Staff can change their name. Customers can also change their telephone number, the language of their mails (one ' +
    "of the store's) and `accepts_marketing`.",
  body: UpdateProfileRequest,
  returns: [200, ProfileView],
  example: { body: { telephone: '+49 30 901820' }, data: profileExample },
  async handle({ tx, store, account, body }) {
    return updateAccountProfile(tx, store, account, body)
  },
})

type Changes = Static<typeof UpdateProfileRequest>

/** Returns an account's own profile. */
async function readProfile(tx: StoreTx, { type, id }: AccountCaller) {
  const twoFactor = await readTwoFactor(tx, { type, id })
  return type === 'customer'
    ? viewCustomerProfile(await findCustomer(tx, id), twoFactor)
    : viewStaff(tx, await findStaffMember(tx, id), twoFactor)
}

/** Changes an account's own profile. */
async function updateAccountProfile(
  tx: StoreTx,
  store: Store,
  { type, id }: AccountCaller,
  changes: Changes,
) {
  const { accepts_marketing: acceptsMarketing, ...rest } = changes
  const twoFactor = await readTwoFactor(tx, { type, id })
  if (type === 'customer') {
    assertLanguage(store, changes.language)
    return viewCustomerProfile(await updateProfile(tx, id, { ...rest, acceptsMarketing }), twoFactor)
  }
  assertForStaff(changes)
  return viewStaff(tx, await updateStaffName(tx, id, changes), twoFactor)
}

const viewStaff = async (tx: StoreTx, member: StaffMember, twoFactor: TwoFactorState) =>
  viewStaffProfile(member, await rightsOfRole(tx, member.role), twoFactor)

const CUSTOMERS_ONLY = ['telephone', 'accepts_marketing', 'language'] as const

function assertForStaff(changes: Changes): void {
  const extra = CUSTOMERS_ONLY.filter((name) => name in changes)
  if (extra.length)
    throw new ValidationError(
      extra.map((name) => ({
        loc: [name],
        msg: 'Extra inputs are not permitted',
        type: 'extra_forbidden',
      })),
    )
}
