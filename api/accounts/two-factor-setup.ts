import type { Static } from 'typebox'
import { renderSVG } from 'uqr'
import type { TwoFactorSetupView } from '#shared/identity/two-factor/view.ts'

/** The margin that readers need, in modules of the code (ISO/IEC 18004). */
const QUIET_ZONE = 4

/** A secret, and the address that an app takes it from, as text and as a picture. */
export const viewTwoFactorSetup = ({
  secret,
  uri,
}: {
  secret: string
  uri: string
}): Static<typeof TwoFactorSetupView> => ({
  secret,
  otpauth_uri: uri,
  qr_svg: renderSVG(uri, { border: QUIET_ZONE }),
})
