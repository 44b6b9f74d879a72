import { Type } from 'typebox'
import {
  Changes,
  Clearable,
  Email,
  Line,
  Name,
  Shape,
  Telephone,
  Uuid,
} from '#shared/platform/http/schema.ts'

/** The length counts characters, not bytes. */
export const NewPassword = Type.String({ minLength: 8, maxLength: 128 })
export const Password = Type.String({ minLength: 1, maxLength: 128 })
export const PersonName = Name(100)

export const RegisterRequest = Shape({
  email: Email,
  password: NewPassword,
  firstname: PersonName,
  lastname: PersonName,
  telephone: Type.Optional(Telephone),
  accepts_marketing: Type.Optional(Type.Boolean()),
})

const account = Type.Optional(
  Type.Enum(['customer', 'staff'], {
    description: 'Default: customer where a store is named, else staff',
  }),
)

const TotpCode = Type.String({ pattern: '^[0-9]{6}$', description: 'Of the app; each code is accepted once' })
export const secondFactor = {
  totp_code: Type.Optional(TotpCode),
  recovery_code: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'Instead of totp_code' }),
  ),
}

export const LoginRequest = Shape({ email: Email, password: Password, account, ...secondFactor })

export const ConfirmPasswordRequest = Shape({ current_password: Password })
export const EnableTwoFactorRequest = Shape({ current_password: Password, totp_code: TotpCode })

/** The body of a change that needs the password, and the second factor of an account that has one. */
export const ConfirmSecondFactorRequest = Shape({ current_password: Password, ...secondFactor })
export const ChangeEmailRequest = Shape({ email: Email, ...ConfirmSecondFactorRequest.properties })
export const ChangePasswordRequest = Shape({
  password: NewPassword,
  ...ConfirmSecondFactorRequest.properties,
})

const LinkToken = Type.String({ minLength: 1, maxLength: 512, description: 'Of the mailed link' })

export const ForgotPasswordRequest = Shape({ email: Email, account })
export const ResetPasswordRequest = Shape({ token: LinkToken, password: NewPassword })
export const VerifyEmailRequest = Shape({ token: LinkToken })

export const RefreshTokenRequest = Shape({
  refresh_token: Type.String({ minLength: 1, maxLength: 512 }),
})

export const IdentityLinkParams = Shape({ id: Uuid })

export const LogoutQuery = Shape({
  all: Type.Boolean({ default: false, description: 'Close all sessions of the account' }),
})

export const UpdateProfileRequest = Changes({
  firstname: PersonName,
  lastname: PersonName,
  telephone: Clearable(Telephone),
  accepts_marketing: Type.Boolean(),
  language: Line(35),
})
