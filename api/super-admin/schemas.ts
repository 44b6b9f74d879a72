import { Type } from 'typebox'
import { Password, secondFactor } from '#api/accounts/schemas.ts'
import { auditFilters } from '#api/audit/schemas.ts'
import { Country } from '#api/geo/schemas.ts'
import { tokenPairProperties } from '#shared/identity/sessions/token-pair-view.ts'
import {
  Email,
  Line,
  Name,
  Nullable,
  PageQuery,
  Shape,
  Timestamp,
  Uuid,
} from '#shared/platform/http/schema.ts'
import { StaffMemberView } from '#shared/staff/view.ts'
import { STORE_SORTS } from '#shared/stores/list-stores.ts'
import { storeRecordProperties } from '#shared/stores/record-view.ts'
import { SHORTEST_PASSWORD } from '#shared/super-admin/keep-super-admin.ts'
import { SuperAdminView } from '#shared/super-admin/view.ts'

export const SuperAdminLoginBody = Shape({ email: Email, password: Password, ...secondFactor })

export const SuperAdminPasswordBody = Shape({
  current_password: Password,
  password: Type.String({ minLength: SHORTEST_PASSWORD, maxLength: 128 }),
})

export const OwnSessionParams = Shape({ session_id: Uuid })

export const SuperAdminSignedIn = Shape({ ...tokenPairProperties, super_admin: SuperAdminView })

export const StoreParams = Shape({ id: Uuid })

export const StoresQuery = Shape({
  ...PageQuery,
  q: Type.Optional(Line(100)),
  status: Type.Optional(Type.Enum(['active', 'suspended', 'deleted'])),
  created_from: Type.Optional(Timestamp),
  created_to: Type.Optional(Timestamp),
  sort: Type.Optional(Type.Enum([...STORE_SORTS])),
})

const Language = Type.String({
  pattern: '^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*$',
  maxLength: 35,
  description: 'BCP 47',
})

export const NewStoreBody = Shape({
  slug: Type.String({ pattern: '^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$', maxLength: 40 }),
  name: Name(200),
  email: Email,
  currency: Type.String({ pattern: '^[A-Z]{3}$', maxLength: 3, description: 'ISO 4217' }),
  languages: Type.Array(Language, { minItems: 1, maxItems: 30, description: 'The first is the default' }),
  country: Type.Optional(Country),
  time_zone: Line(64),
  domains: Type.Optional(
    Type.Array(Line(253), { maxItems: 20, description: 'Known to be the store’s own: they need no proof' }),
  ),
  owner: Shape({
    email: Email,
    firstname: Name(100),
    lastname: Name(100),
    password: Type.Optional(
      Type.String({
        minLength: 8,
        maxLength: 128,
        description: 'Left out, the owner is mailed a link to choose one',
      }),
    ),
  }),
})

export const StoreWithOwnerView = Shape({ ...storeRecordProperties, owner: StaffMemberView })

export const StoreChanges = Shape(
  {
    name: Type.Optional(Name(200)),
    email: Type.Optional(Email),
    languages: Type.Optional(Type.Array(Language, { minItems: 1, maxItems: 30 })),
    default_language: Type.Optional(Language),
    country: Type.Optional(Nullable(Country)),
    time_zone: Type.Optional(Line(64)),
  },
  { minProperties: 1 },
)

export const OwnerBody = Shape({ user_id: Uuid })

export const PurgeBody = Shape({
  force: Type.Optional(
    Type.String({
      maxLength: 40,
      description: "The store's slug: purges it before its thirty days are over",
    }),
  ),
})

export const SupportBody = Shape({
  reason: Line(500),
  minutes: Type.Integer({ minimum: 1, maximum: 60, default: 30 }),
})

export const SupportSessionView = Shape({
  session_id: Uuid,
  store_id: Uuid,
  access_token: Type.String({ description: "For the store's admin operations; it cannot be renewed" }),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer(),
  expires_at: Timestamp,
  reason: Type.String(),
})

export const StoreKeyParams = Shape({ id: Uuid, key_id: Uuid })
export const StoreDomainParams = Shape({ id: Uuid, domain_id: Uuid })

const Day = Type.String({ format: 'date' })

export const FiguresQuery = Shape({
  date_from: Type.Optional(Type.String({ format: 'date', description: 'Default: 29 days before `date_to`' })),
  date_to: Type.Optional(Type.String({ format: 'date', description: 'Inclusive; default: today' })),
})

const Count = Type.Integer({ minimum: 0 })

export const FiguresView = Shape({
  date_from: Day,
  date_to: Day,
  stores: Shape({ active: Count, suspended: Count, deleted: Count }),
  sales: Type.Array(
    Shape({ currency: Type.String({ description: 'ISO 4217' }), orders: Count, revenue: Type.Number() }),
  ),
  tallied_at: Nullable(Timestamp),
})

export const QueueParams = Shape({ name: Type.String({ pattern: '^[a-z0-9-]+$', maxLength: 100 }) })

export const RedriveBody = Shape({
  ids: Type.Optional(
    Type.Array(Uuid, { minItems: 1, maxItems: 1000, description: 'Of dead letters. Left out: the oldest' }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 1000 }),
})

export const PlatformAuditQuery = Shape({
  ...auditFilters,
  store_id: Type.Optional(Uuid),
  log: Type.Enum(['platform', 'store'], {
    default: 'platform',
    description: "platform: what super-admins did, everywhere or to one store. store: that store's own log",
  }),
})
