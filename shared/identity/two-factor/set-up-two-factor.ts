import type { AccountHolder } from '#shared/identity/holder.ts'
import type { IdentityTx } from '#shared/identity/principal.ts'
import { newSecret, secretUri } from './totp.ts'
import { upsertSecret } from './two-factor.ts'

/**
 * Creates the secret for an app, and the address from which the app reads it. Two-factor sign-in stays off until
 * `enableTwoFactor`. The caller has confirmed the password by `lockConfirmed`. Throws `auth.totp_already_enabled`.
 */
export async function setUpTwoFactor(
  tx: IdentityTx,
  { account, email }: AccountHolder,
  issuer: string,
): Promise<{ secret: string; uri: string }> {
  const secret = newSecret()
  await upsertSecret(tx, account, secret)
  return { secret, uri: secretUri(secret, { issuer, label: email }) }
}
