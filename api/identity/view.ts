import { Type } from 'typebox'
import type { SignedUp } from '#shared/accounts/sign-up.ts'
import { Customer, CustomerView, customerProperties, viewCustomer } from '#shared/customers/customer.ts'
import { tokenPairProperties, viewTokenPair } from '#shared/identity/sessions/token-pair.ts'
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
import { SuperAdminView, viewSuperAdmin } from '#shared/super-admin/super-admin.ts'

export const CustomerSignedIn = Shape({ ...tokenPairProperties, customer: CustomerView })
export const StaffSignedIn = Shape({ ...tokenPairProperties, staff: StaffMemberView })
export const SuperAdminSignedIn = Shape({ ...tokenPairProperties, super_admin: SuperAdminView })
export const SignedInView = Type.Union([CustomerSignedIn, StaffSignedIn, SuperAdminSignedIn])

/** Returns a new customer who signed up. */
export const viewSignedUp = ({ customer, tokens }: SignedUp) => ({
  ...viewTokenPair(tokens),
  customer: viewCustomer(customer),
})

/** Returns an account of a store that signed in. */
export const viewStoreSignedIn = ({ account, row, tokens }: SignedIn) =>
  account.type === 'staff'
    ? { ...viewTokenPair(tokens), staff: viewStaffMember(StaffMember.fromDatabaseJson(row)) }
    : { ...viewTokenPair(tokens), customer: viewCustomer(Customer.fromDatabaseJson(row)) }

/** Returns a super-admin who signed in. */
export const viewSuperAdminSignedIn = ({ row, tokens }: SignedIn) => ({
  ...viewTokenPair(tokens),
  super_admin: viewSuperAdmin(row),
})

/** Returns an account of any kind that signed in. */
export const viewSignedIn = (signedIn: SignedIn) =>
  signedIn.account.type === 'super_admin' ? viewSuperAdminSignedIn(signedIn) : viewStoreSignedIn(signedIn)

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
