import { Type } from 'typebox'
import { Shape } from '#shared/platform/http/schema.ts'
import type { TwoFactorStanding } from './standing.ts'

/** What a profile says of the second factor. */
export const twoFactorProperties = {
  two_factor_enabled: Type.Boolean(),
  recovery_codes_remaining: Type.Integer({ minimum: 0 }),
}

export const viewTwoFactor = ({ isEnabled, recoveryCodesRemaining }: TwoFactorStanding) => ({
  two_factor_enabled: isEnabled,
  recovery_codes_remaining: recoveryCodesRemaining,
})

export const TwoFactorSetupView = Shape({
  secret: Type.String({ description: 'Base32, for typing it in' }),
  otpauth_uri: Type.String(),
  qr_svg: Type.String({ description: 'The same address as a picture' }),
})

export const RecoveryCodesView = Shape({ recovery_codes: Type.Array(Type.String()) })
