import { Type } from 'typebox'
import { Changes, Clearable, Line, Name, Shape, Uuid } from '#shared/platform/http/schema.ts'
import { KEY_MODES } from '#shared/stores/publishable-keys/publishable-key.ts'

const AllowedOrigins = Type.Array(Line(200), {
  maxItems: 50,
  description:
    'Scheme, host and, unless it is the default, port: `https://shop.example`. Empty: any origin may use the key',
})
const KeyName = Clearable(Name(100))

const DAY_SECONDS = 86_400

export const KeyParams = Shape({ key_id: Uuid })

export const CreatePublishableKeyRequest = Shape({
  name: Type.Optional(KeyName),
  mode: Type.Enum([...KEY_MODES], {
    default: 'live',
    description: 'Test keys are for development; production refuses them',
  }),
  allowed_origins: Type.Optional(AllowedOrigins),
})

/** The description of the lists of keys. */
export const ENDED_KEYS =
  'A revoked or expired key is listed for 30 days; of more than 100 such keys, only the last 100. The audit log ' +
  'keeps its changes.'

/** The description of the operations that change a key. */
export const KEY_CHANGE = 'The new origins apply from the next request. `null` is never an allowed origin.'

export const UpdatePublishableKeyRequest = Changes({ name: KeyName, allowed_origins: AllowedOrigins })

export const RotatePublishableKeyRequest = Shape({
  overlap_seconds: Type.Integer({
    minimum: 0,
    maximum: 90 * DAY_SECONDS,
    default: 7 * DAY_SECONDS,
    description: 'How long the previous key keeps working',
  }),
})

export const DomainParams = Shape({ domain_id: Uuid })

export const CreateStoreDomainRequest = Shape({
  domain: Line(253),
})
