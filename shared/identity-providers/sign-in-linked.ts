import { Customer } from '#shared/customers/customer.ts'
import { signInCustomer } from '#shared/customers/sign-in-customer.ts'
import type { TokenPair } from '#shared/identity/sessions/open-session.ts'
import type { Device } from '#shared/identity/sessions/session.ts'
import type { SecondFactor } from '#shared/identity/two-factor/second-factor.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { signInStaffMember } from '#shared/staff/sign-in-staff-member.ts'
import { StaffMember } from '#shared/staff/staff-member.ts'
import { OauthErrors } from './errors.ts'
import type { LinkedAccount } from './open-account.ts'

export type SignedIn =
  | { type: 'customer'; customer: Customer; tokens: TokenPair }
  | { type: 'staff'; member: StaffMember; tokens: TokenPair }

/**
 * Signs in to an account that an identity is linked to. The provider stands for the password and for no more: the second
 * factor is asked for as at any sign-in. Throws `auth.oauth_account_unavailable`, `auth.totp_required`,
 * `auth.totp_invalid`.
 */
export async function signInLinked(
  tx: StoreTx,
  { accountType, accountId: id }: LinkedAccount,
  device: Device,
  secondFactor: SecondFactor,
): Promise<SignedIn> {
  if (accountType === 'staff') {
    const { passwordHash } = available(await StaffMember.in(tx).findById(id))
    const signedIn = await signInStaffMember(tx, { id, passwordHash }, device, secondFactor)
    return { type: 'staff', ...signedIn }
  }
  const { passwordHash } = available(await Customer.in(tx).findById(id))
  return { type: 'customer', ...(await signInCustomer(tx, { id, passwordHash }, device, secondFactor)) }
}

function available<A extends { isActive: boolean }>(account: A | undefined): A {
  if (!account?.isActive) throw OauthErrors.accountUnavailable()
  return account
}
