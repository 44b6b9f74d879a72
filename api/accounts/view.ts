import { Type } from 'typebox'
import { SuperAdminSignedIn } from '#api/super-admin/schemas.ts'
import type { Customer } from '#shared/customers/customer.ts'
import { CustomerView, customerProperties, viewCustomer } from '#shared/customers/view.ts'
import { tokenPairProperties } from '#shared/identity/sessions/token-pair-view.ts'
import type { TwoFactorStanding } from '#shared/identity/two-factor/standing.ts'
import { twoFactorProperties, viewTwoFactor } from '#shared/identity/two-factor/view.ts'
import { Shape } from '#shared/platform/http/schema.ts'
import type { Right } from '#shared/staff/roles.ts'
import type { StaffMember } from '#shared/staff/staff-member.ts'
import { StaffMemberView, staffMemberProperties, viewStaffMember } from '#shared/staff/view.ts'

export const CustomerSignedIn = Shape({ ...tokenPairProperties, customer: CustomerView })
export const StaffSignedIn = Shape({ ...tokenPairProperties, staff: StaffMemberView })
export const SignedIn = Type.Union([CustomerSignedIn, StaffSignedIn, SuperAdminSignedIn])

const CustomerProfile = Shape({
  account: Type.Literal('customer'),
  ...customerProperties,
  is_owner: Type.Literal(false),
  ...twoFactorProperties,
})

const StaffProfile = Shape({
  account: Type.Literal('staff'),
  ...staffMemberProperties,
  permissions: Type.Array(Type.String(), { description: 'Areas as `sales:read`, and single rights' }),
  ...twoFactorProperties,
})

export const ProfileView = Type.Union([CustomerProfile, StaffProfile])

export const viewCustomerProfile = (customer: Customer, twoFactor: TwoFactorStanding) => ({
  account: 'customer' as const,
  ...viewCustomer(customer),
  is_owner: false as const,
  ...viewTwoFactor(twoFactor),
})

export const viewStaffProfile = (
  member: StaffMember,
  rights: readonly Right[],
  twoFactor: TwoFactorStanding,
) => ({
  account: 'staff' as const,
  ...viewStaffMember(member),
  permissions: [...rights],
  ...viewTwoFactor(twoFactor),
})
