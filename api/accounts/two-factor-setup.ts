import type { Static } from 'typebox'
import type { TwoFactorSetupView } from '#shared/accounts/two-factor/view.ts'

/** A secret, and the address that an app takes it from, as text and as a picture. */
export async function viewTwoFactorSetup({
  secret,
  uri,
}: {
  secret: string
  uri: string
}): Promise<Static<typeof TwoFactorSetupView>> {
  const { toString: toQrCode } = await import('qrcode')
  return { secret, otpauth_uri: uri, qr_svg: await toQrCode(uri, { type: 'svg' }) }
}
