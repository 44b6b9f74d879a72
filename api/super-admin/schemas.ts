import { Type } from 'typebox'
import { auditFilters } from '#api/audit/schemas.ts'
import { Password, secondFactor } from '#api/identity/schemas.ts'
import { listQuery } from '#api/platform/input/list-query.ts'
import { AUDIT_ENTRIES } from '#shared/audit/list-entries.ts'
import { Email, Line, Shape, Uuid } from '#shared/platform/http/schema.ts'
import { MIN_PASSWORD_LENGTH } from '#shared/super-admin/upsert-super-admin.ts'

export const SuperAdminLoginBody = Shape({ email: Email, password: Password, ...secondFactor })

export const SuperAdminPasswordBody = Shape({
  current_password: Password,
  password: Type.String({ minLength: MIN_PASSWORD_LENGTH, maxLength: 128 }),
})

export const OwnerBody = Shape({ user_id: Uuid })

export const SupportBody = Shape({
  reason: Line(500),
  minutes: Type.Integer({ minimum: 1, maximum: 60, default: 30 }),
})

export const FiguresQuery = Shape({
  date_from: Type.Optional(Type.String({ format: 'date', description: 'Default: 29 days before `date_to`' })),
  date_to: Type.Optional(Type.String({ format: 'date', description: 'Inclusive; default: today' })),
})

export const QueueParams = Shape({ name: Type.String({ pattern: '^[a-z0-9-]+$', maxLength: 100 }) })

export const RedriveBody = Shape({
  ids: Type.Optional(
    Type.Array(Uuid, { minItems: 1, maxItems: 1000, description: 'Of dead letters. Left out: the oldest' }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 1000 }),
})

export const PlatformAuditQuery = listQuery(AUDIT_ENTRIES, {
  ...auditFilters,
  store_id: Type.Optional(Uuid),
  log: Type.Enum(['platform', 'store'], {
    default: 'platform',
    description: "platform: what super-admins did, everywhere or to one store. store: that store's own log",
  }),
})
