import { Type } from 'typebox'
import { NO_RECOVERY_CODES } from '#shared/accounts/recovery-codes.ts'
import { tokenPairProperties } from '#shared/accounts/view.ts'
import type { Customer } from '#shared/customers/customer.ts'
import { CustomerView, customerProperties, viewCustomer } from '#shared/customers/view.ts'
import { Shape } from '#shared/platform/schema.ts'
import { rightsOf } from '#shared/staff/roles.ts'
import type { StaffMember } from '#shared/staff/staff-member.ts'
import { StaffMemberView, staffMemberProperties, viewStaffMember } from '#shared/staff/view.ts'

export const CustomerSignedIn = Shape({ ...tokenPairProperties, customer: CustomerView })
export const StaffSignedIn = Shape({ ...tokenPairProperties, staff: StaffMemberView })
export const SignedIn = Type.Union([CustomerSignedIn, StaffSignedIn])

const recovery_codes_remaining = Type.Integer({ minimum: 0 })

const CustomerProfile = Shape({
  account: Type.Literal('customer'),
  ...customerProperties,
  is_owner: Type.Literal(false),
  recovery_codes_remaining,
})

const StaffProfile = Shape({
  account: Type.Literal('staff'),
  ...staffMemberProperties,
  permissions: Type.Array(Type.String(), { description: 'Areas as `sales:read`, and single rights' }),
  recovery_codes_remaining,
})

export const ProfileView = Type.Union([CustomerProfile, StaffProfile])

export const viewCustomerProfile = (customer: Customer) => ({
  account: 'customer' as const,
  ...viewCustomer(customer),
  is_owner: false as const,
  recovery_codes_remaining: NO_RECOVERY_CODES,
})

export const viewStaffProfile = (member: StaffMember) => ({
  account: 'staff' as const,
  ...viewStaffMember(member),
  permissions: [...rightsOf(member.role)],
  recovery_codes_remaining: NO_RECOVERY_CODES,
})
