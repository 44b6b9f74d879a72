import { Type } from 'typebox'
import { Country } from '#api/geo/schemas.ts'
import { listQuery } from '#api/platform/input/list-query.ts'
import { Changes, Clearable, Email, Language, Line, Name, Shape, Uuid } from '#shared/platform/http/schema.ts'
import { StaffMemberView } from '#shared/staff/staff-member.ts'
import { STORES } from '#shared/stores/list-stores.ts'
import { storeRecordProperties } from '#shared/stores/view.ts'

export const StoreParams = Shape({ id: Uuid })

export const StoresQuery = listQuery(STORES)

export const CreateStoreRequest = Shape({
  slug: Type.String({ pattern: '^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$', maxLength: 40 }),
  name: Name(200),
  email: Email,
  currency: Type.String({ pattern: '^[A-Z]{3}$', maxLength: 3, description: 'ISO 4217' }),
  languages: Type.Array(Language, { minItems: 1, maxItems: 30, description: 'The first is the default' }),
  country: Type.Optional(Country),
  time_zone: Line(64),
  domains: Type.Optional(
    Type.Array(Line(253), {
      maxItems: 20,
      description: 'Known to be the store’s: they need no verification',
    }),
  ),
  owner: Shape({
    email: Email,
    firstname: Name(100),
    lastname: Name(100),
    password: Type.Optional(
      Type.String({
        minLength: 8,
        maxLength: 128,
        description: 'When omitted, the owner gets a mail with a link to choose one',
      }),
    ),
  }),
})

export const StoreWithOwnerView = Shape({ ...storeRecordProperties, owner: StaffMemberView })

export const UpdateStoreRequest = Changes({
  name: Name(200),
  email: Email,
  languages: Type.Array(Language, { minItems: 1, maxItems: 30 }),
  default_language: Language,
  country: Clearable(Country),
  time_zone: Line(64),
})

export const PurgeStoreRequest = Shape({
  force: Type.Optional(
    Type.String({
      maxLength: 40,
      description: "The store's slug: purges it before its 30 days of retention end",
    }),
  ),
  override: Type.Optional(
    Type.Boolean({
      description:
        'Purges it with open business, because that was settled by other means: the buyers of paid orders have their ' +
        'money back, and so on. Its records are lost',
    }),
  ),
})

export const StoreKeyParams = Shape({ id: Uuid, key_id: Uuid })
export const StoreDomainParams = Shape({ id: Uuid, domain_id: Uuid })
