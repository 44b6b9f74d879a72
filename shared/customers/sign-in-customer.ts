import { AuthErrors } from '../accounts/errors.ts'
import { openSession, type TokenPair } from '../accounts/open-session.ts'
import type { Device } from '../accounts/session.ts'
import { passSecondFactor, type SecondFactor } from '../accounts/two-factor/second-factor.ts'
import { noticeUnknownDevice } from '../accounts/unknown-device.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { Customer } from './customer.ts'
import type { CustomerCredentials } from './find-credentials.ts'

/**
 * Signs in a customer whose password was right a moment ago. Throws `auth.invalid_credentials` if that has changed,
 * `auth.totp_required` and `auth.totp_invalid` where two-factor sign-in is on.
 */
export async function signInCustomer(
  tx: StoreTx,
  { id, passwordHash }: CustomerCredentials,
  device: Device,
  secondFactor: SecondFactor = {},
): Promise<{ customer: Customer; tokens: TokenPair }> {
  // Locked, so that a change of password which closes all sessions comes either before this one or sees it.
  const customer = await Customer.in(tx).findById(id).forShare()
  if (!customer?.isActive || customer.passwordHash !== passwordHash) throw AuthErrors.invalidCredentials()
  const account = { type: 'customer', id } as const
  await passSecondFactor(tx, account, secondFactor)
  await noticeUnknownDevice(tx, account, customer, device)
  return { customer, tokens: await openSession(tx, account, device) }
}
