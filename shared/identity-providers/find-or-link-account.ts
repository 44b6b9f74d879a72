import { registerCustomer } from '#shared/customers/account/register-customer.ts'
import { Customer } from '#shared/customers/customer.ts'
import type { Device } from '#shared/identity/device.ts'
import { isSameMailbox, normalizeEmail } from '#shared/identity/email.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { isAccountActive } from '#shared/identity/holder.ts'
import { IdentityLink, linkAccount } from '#shared/identity/identity-link.ts'
import { lockName } from '#shared/platform/db/lock-name.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { StaffMember } from '#shared/staff/staff-member.ts'
import { announceLink } from './announce-link.ts'
import { OauthErrors } from './errors.ts'
import type { Identity } from './identity.ts'
import { accountTypeOf, type IdentityProvider, lockActiveIdentityProvider } from './identity-provider.ts'

/** The account that an identity signs in to. */
export type LinkedAccount = Pick<IdentityLink, 'accountType' | 'accountId'>

/** The browser that returns from a provider. */
export interface ReturningBrowser {
  device: Device
  /** The language of an account that the sign-in creates. */
  language: string
}

/**
 * Finds the account that an identity is linked to. An unlinked identity is linked to the account with its verified
 * address, whose holder is notified. For customers it creates an account if there is none. Throws
 * `auth.oauth_email_unverified`, `auth.oauth_password_required`, `auth.oauth_linked_elsewhere`,
 * `auth.oauth_account_unavailable`, `auth.email_taken`, `auth.oauth_provider_unavailable`.
 */
export async function findOrLinkAccount(
  tx: StoreTx,
  provider: IdentityProvider,
  identity: Identity,
  browser: ReturningBrowser,
): Promise<LinkedAccount> {
  const { subject } = identity
  await lockActiveIdentityProvider(tx, provider.id)
  const known = await IdentityLink.in(tx).findOne({ provider_id: provider.id, subject })
  const account = known ?? (await link(tx, provider, identity, browser))
  if (!(await isAccountActive(tx, { type: account.accountType, id: account.accountId })))
    throw OauthErrors.accountUnavailable()
  return account
}

async function link(
  tx: StoreTx,
  provider: IdentityProvider,
  identity: Identity,
  { device, language }: ReturningBrowser,
): Promise<LinkedAccount> {
  const { verifiedEmail, subject } = identity
  if (!verifiedEmail) throw OauthErrors.emailUnverified()
  const email = normalizeEmail(verifiedEmail)
  // Lock the address: two concurrent sign-ins must not both create an account.
  await lockName(tx.knex, `identity ${tx.storeId} ${email}`)
  const accountType = accountTypeOf(provider)
  const known =
    accountType === 'staff'
      ? await lockStaffIdByEmail(tx, verifiedEmail)
      : await lockCustomerIdByEmail(tx, verifiedEmail)
  const id = known ?? (await registerNewcomer(tx, { ...identity, verifiedEmail, language }))
  const account = { type: accountType, id }
  const { link: linked, isNew } = await linkAccount(tx, { providerId: provider.id, subject }, account)
  // The identity or the account has another link: the address may have passed to another person.
  if (linked?.accountId !== id) throw OauthErrors.linkedElsewhere()
  if (known && isNew) await announceLink(tx, provider, account, device)
  return linked
}

// Both kinds of account are locked until they are linked. A concurrent change of the address deletes the links, and
// must not miss this one. After a wait, PostgreSQL evaluates the address again.

/**
 * Locks the active staff member with this address, and returns the id. A sign-in never creates a staff account. Throws
 * `auth.oauth_account_unavailable`.
 */
async function lockStaffIdByEmail(tx: StoreTx, email: string): Promise<string> {
  const member = await StaffMember.in(tx)
    .findOne({ email_normalized: normalizeEmail(email), is_active: true })
    .forShare()
  if (!member || !isSameMailbox(member.email, email)) throw OauthErrors.accountUnavailable()
  return member.id
}

/**
 * Locks the customer with this address, and returns the id; undefined if there is none. Throws `auth.email_taken` and
 * `auth.oauth_password_required`.
 */
async function lockCustomerIdByEmail(tx: StoreTx, email: string): Promise<string | undefined> {
  const customer = await Customer.in(tx)
    .findOne({ email_normalized: normalizeEmail(email) })
    .forShare()
  if (customer && !isSameMailbox(customer.email, email)) throw AuthErrors.emailTaken()
  // The address is not verified: the person who registered may not own it, and would still have the password.
  if (customer && !customer.verifiedAt) throw OauthErrors.passwordRequired()
  return customer?.id
}

interface Newcomer extends Identity {
  verifiedEmail: string
  language: string
}

/** Registers a customer with a verified address and no password. */
async function registerNewcomer(
  tx: StoreTx,
  { verifiedEmail, firstname, lastname, language }: Newcomer,
): Promise<string> {
  const opened = await registerCustomer(tx, {
    email: verifiedEmail,
    passwordHash: null,
    verifiedAt: now(),
    firstname,
    lastname,
    language,
  })
  return opened.id
}
