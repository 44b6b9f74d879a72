import { Type } from 'typebox'
import { Customer, CustomerView, customerProperties, viewCustomer } from '#shared/customers/customer.ts'
import { tokenPairProperties } from '#shared/identity/sessions/open-session.ts'
import type { SignedIn } from '#shared/identity/sign-in/complete-sign-in.ts'
import {
  type TwoFactorState,
  twoFactorProperties,
  viewTwoFactor,
} from '#shared/identity/two-factor/two-factor.ts'
import { Shape } from '#shared/platform/http/schema.ts'
import type { Right } from '#shared/staff/rights.ts'
import {
  StaffMember,
  StaffMemberView,
  staffMemberProperties,
  viewStaffMember,
} from '#shared/staff/staff-member.ts'
import { SuperAdminView } from '#shared/super-admin/super-admin.ts'

export const CustomerSignedIn = Shape({ ...tokenPairProperties, customer: CustomerView })
export const StaffSignedIn = Shape({ ...tokenPairProperties, staff: StaffMemberView })
export const SuperAdminSignedIn = Shape({ ...tokenPairProperties, super_admin: SuperAdminView })
export const SignedInView = Type.Union([CustomerSignedIn, StaffSignedIn, SuperAdminSignedIn])

/** Returns an account of a store that signed in. */
export const viewAccount = ({ account, row }: Pick<SignedIn, 'account' | 'row'>) =>
  account.type === 'staff'
    ? { staff: viewStaffMember(StaffMember.fromDatabaseJson(row)) }
    : { customer: viewCustomer(Customer.fromDatabaseJson(row)) }

export const CustomerProfile = Shape({
  account: Type.Literal('customer'),
  ...customerProperties,
  is_owner: Type.Literal(false),
  ...twoFactorProperties,
})

export const StaffProfile = Shape({
  account: Type.Literal('staff'),
  ...staffMemberProperties,
  permissions: Type.Array(Type.String(), { description: 'Areas as `sales:read`, and single rights' }),
  ...twoFactorProperties,
})

export const ProfileView = Type.Union([CustomerProfile, StaffProfile])

export const viewCustomerProfile = (customer: Customer, twoFactor: TwoFactorState) => ({
  account: 'customer' as const,
  ...viewCustomer(customer),
  is_owner: false as const,
  ...viewTwoFactor(twoFactor),
})

export const viewStaffProfile = (
  member: StaffMember,
  rights: readonly Right[],
  twoFactor: TwoFactorState,
) => ({
  account: 'staff' as const,
  ...viewStaffMember(member),
  permissions: [...rights],
  ...viewTwoFactor(twoFactor),
})
