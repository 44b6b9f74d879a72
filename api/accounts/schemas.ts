import { Type } from 'typebox'
import { Email, Line, Nullable, Shape } from '#shared/platform/schema.ts'

/** Counted in characters, whatever they take in bytes (decisions, section 3). */
export const NewPassword = Type.String({ minLength: 8, maxLength: 128 })
export const Password = Type.String({ minLength: 1, maxLength: 128 })
export const PersonName = Line(100)
const Telephone = Line(40)

export const RegisterBody = Shape({
  email: Email,
  password: NewPassword,
  firstname: PersonName,
  lastname: PersonName,
  telephone: Type.Optional(Telephone),
  accepts_marketing: Type.Optional(Type.Boolean()),
})

export const LoginBody = Shape({
  email: Email,
  password: Password,
  account: Type.Optional(
    Type.Enum(['customer', 'staff'], {
      description: 'Default: customer where a store is named, else staff',
    }),
  ),
})

export const RefreshTokenBody = Shape({
  refresh_token: Type.String({ minLength: 1, maxLength: 512 }),
})

export const LogoutQuery = Shape({
  all: Type.Boolean({ default: false, description: 'Close all sessions of the account' }),
})

export const ProfileChanges = Shape(
  {
    firstname: Type.Optional(PersonName),
    lastname: Type.Optional(PersonName),
    telephone: Type.Optional(Nullable(Telephone)),
    accepts_marketing: Type.Optional(Type.Boolean()),
  },
  { minProperties: 1 },
)
