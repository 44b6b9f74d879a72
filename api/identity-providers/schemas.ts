import { Type } from 'typebox'
import { secondFactor } from '#api/identity/schemas.ts'
import { AUDIENCES } from '#shared/identity-providers/identity-provider.ts'
import { Changes, Clearable, Line, Name, Shape, Uuid } from '#shared/platform/http/schema.ts'

const Code = Type.String({
  pattern: '^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$',
  description: 'Its name in URLs',
})
const Url = Type.String({ minLength: 1, maxLength: 2_048 })

export const ProviderCodeParams = Shape({ provider: Code })
export const CallbackParams = Shape({ provider: { ...Uuid, description: 'The id of the provider' } })

export const SignInProvidersQuery = Shape({
  audience: Type.Enum([...AUDIENCES], { default: 'customers' }),
})

export const AuthorizeQuery = Shape({
  redirect_url: Type.String({
    minLength: 1,
    maxLength: 2_048,
    description: "Where the browser returns: exactly one of the provider's `redirect_urls`",
  }),
  state: Type.Optional(Type.String({ maxLength: 512, description: 'Returned unchanged with the code' })),
  code_challenge: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{43}$',
      description: 'S256 of a code_verifier, which POST /auth/oauth/exchange then requires (RFC 7636)',
    }),
  ),
  code_challenge_method: Type.Optional(Type.Literal('S256')),
  service_key: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        "The publishable key, because a link cannot send a header. Not needed on the store's own domain",
    }),
  ),
})

/** Providers add parameters of their own. */
export const CallbackQuery = Type.Object({
  state: Type.String({ minLength: 1, maxLength: 512 }),
  code: Type.Optional(Type.String({ maxLength: 8_192 })),
  iss: Type.Optional(Url),
  error: Type.Optional(Type.String({ maxLength: 512 })),
  error_description: Type.Optional(Type.String({ maxLength: 4_096 })),
})

export const ExchangeCodeRequest = Shape({
  code: Type.String({ minLength: 1, maxLength: 512 }),
  code_verifier: Type.Optional(
    Type.String({ pattern: '^[A-Za-z0-9._~-]{43,128}$', description: 'Required after a code_challenge' }),
  ),
  ...secondFactor,
})

export const IdentityProviderParams = Shape({ provider_id: Uuid })

const Scope = Type.String({ pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]{1,100}$' })

const providerFields = {
  name: Name(100),
  client_id: Line(512),
  client_secret: Type.Optional(
    Clearable(
      Type.String({ minLength: 1, maxLength: 512, description: 'Never shown; empty for a public client' }),
    ),
  ),
  scopes: Type.Optional(
    Type.Array(Scope, { maxItems: 20, description: 'Besides `openid`; default: `email`, `profile`' }),
  ),
  redirect_urls: Type.Array(Url, {
    minItems: 1,
    maxItems: 20,
    description: 'Where sign-ins may return to; compared exactly',
  }),
  is_active: Type.Optional(Type.Boolean()),
  position: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000 })),
}

export const CreateIdentityProviderRequest = Shape({
  code: Code,
  issuer: Url,
  audience: Type.Optional(Type.Enum([...AUDIENCES], { description: 'Default: customers' })),
  ...providerFields,
})

export const UpdateIdentityProviderRequest = Changes(providerFields)
