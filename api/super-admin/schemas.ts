import { Type } from 'typebox'
import { ConfirmSecondFactorRequest, NewPassword, Password, secondFactor } from '#api/identity/schemas.ts'
import { DateRangeQuery } from '#shared/platform/http/query-parameters.ts'
import { Email, Shape, Uuid } from '#shared/platform/http/schema.ts'
import { MIN_PASSWORD_LENGTH } from '#shared/super-admin/upsert-super-admin.ts'

export const SuperAdminLoginRequest = Shape({ email: Email, password: Password, ...secondFactor })

export const ChangeSuperAdminPasswordRequest = Shape({
  ...ConfirmSecondFactorRequest.properties,
  password: { ...NewPassword, minLength: MIN_PASSWORD_LENGTH },
})

export const FiguresQuery = Shape(
  DateRangeQuery({ from: 'Default: 29 days before `date_to`', to: 'Inclusive; default: today' }),
)

export const QueueParams = Shape({ name: Type.String({ pattern: '^[a-z0-9-]+$', maxLength: 100 }) })

export const RedriveJobsRequest = Shape({
  ids: Type.Optional(
    Type.Array(Uuid, {
      minItems: 1,
      maxItems: 1000,
      description: 'The ids of dead letters. Default: the oldest',
    }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 1000 }),
})
