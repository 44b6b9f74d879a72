import { queueNotice, type Recipient } from '#shared/mail/queue-mail.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { deviceFacts } from '../mails/device.ts'
import { newSignInMail } from '../mails/new-sign-in.ts'
import { isUnknown } from '../sessions/known-devices.ts'
import type { Device } from '../sessions/session.ts'

/** Tells the account's owner of a sign-in from a device that is new, and returns whether it is. */
export async function tellOfUnknownDevice(
  tx: StoreTx,
  owner: Recipient,
  device: Device,
  last: readonly Device[],
): Promise<boolean> {
  const isNews = isUnknown(device, last)
  if (isNews) await queueNotice(tx, newSignInMail, owner, deviceFacts(device))
  return isNews
}
