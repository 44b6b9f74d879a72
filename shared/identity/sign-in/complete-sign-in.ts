import type { Recipient } from '#shared/mail/queue-mail.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { AccountName } from '../account.ts'
import { recordSecurityEvent } from '../security-event.ts'
import { LAST_DEVICES } from '../sessions/known-devices.ts'
import { openSession, type TokenPair } from '../sessions/open-session.ts'
import type { Device } from '../sessions/session.ts'
import { factorOwner } from '../two-factor/factor-owner.ts'
import { passSecondFactor, type SecondFactor } from '../two-factor/second-factor.ts'
import { tellOfUnknownDevice } from './tell-of-unknown-device.ts'

/** SQL of whether an account has two-factor sign-in: $1 is its type, $2 its id. */
export const IS_GUARDED = `
  exists (
    select from two_factor
    where store_id = ${CURRENT_STORE} and account_type = $1 and account_id = $2::uuid
      and enabled_at is not null
  )`

/** What is to be known of an account that signs in, in one statement: nearly none of them asks for more. */
const AT_THE_DOOR = {
  name: 'account_at_the_door',
  text: `
    select ${IS_GUARDED} as is_guarded, (
      select coalesce(json_agg(json_build_object('ip', ip, 'userAgent', user_agent)), '[]') from (${LAST_DEVICES}) last
    ) as last_devices`,
}

interface AtTheDoor {
  is_guarded: boolean
  last_devices: Device[]
}

/**
 * Signs in an account whose password was right a moment ago. Throws `auth.totp_required` and `auth.totp_invalid` where
 * two-factor sign-in is on; tells the owner of a device that is new.
 */
export async function letIn(
  tx: StoreTx,
  account: AccountName,
  owner: Recipient,
  device: Device,
  secondFactor: SecondFactor,
): Promise<TokenPair> {
  const [door] = await tx.prepared<AtTheDoor>(AT_THE_DOOR, [account.type, account.id])
  if (door?.is_guarded) await passGuard(tx, account, device, secondFactor)
  const isNews = await tellOfUnknownDevice(tx, owner, device, door?.last_devices ?? [])
  return openSession(tx, account, device, { isNews })
}

async function passGuard(
  tx: StoreTx,
  account: AccountName,
  device: Device,
  given: SecondFactor,
): Promise<void> {
  const passed = await passSecondFactor(factorOwner(tx, account), given)
  if (passed === 'recovery_code') await recordSecurityEvent(tx, 'recovery_code_used', account, device)
}
