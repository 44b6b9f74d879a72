import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type Configuration, type KoaContextWithOIDC } from 'oidc-provider'
import { PEOPLE, type Person } from '#test/sandbox/identity-provider/people.ts'
import { signInPages } from '#test/sandbox/identity-provider/sign-in-page.ts'

export type { Person }

export type IdentityProvider = {
  issuer: string
  clientId: string
  clientSecret: string
  /** The provider's people by `sub`; changes by a test apply from the next sign-in. */
  people: Map<string, Person>
  stop(): Promise<void>
}

const HOUR = 3_600

export const CLIENT = { id: 'commerce', secret: 'sandbox-identity-provider-client' }

/**
 * Starts an OpenID Connect provider (`oidc-provider`) on 127.0.0.1. Its sign-in page lists the people and asks for
 * no password. A `*` in a redirect URL is any part of its path. If `namesItself` is false, its responses do not name
 * it, as those of many providers do not (RFC 9207).
 */
export async function startIdentityProvider({
  port = 0,
  redirectUrls,
  namesItself = true,
}: {
  port?: number
  redirectUrls: string[]
  namesItself?: boolean
}): Promise<IdentityProvider> {
  const people = new Map(PEOPLE.map((person) => [person.sub, person]))
  const server = createServer()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, configure(people, redirectUrls))
  provider.Client.prototype.redirectUriAllowed = (url) => redirectUrls.some((allowed) => covers(allowed, url))
  if (!namesItself) provider.use(omitIssuer)
  provider.use(signInPages(provider, people))
  server.on('request', provider.callback())
  return {
    issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    people,
    async stop() {
      if (!server.listening) return
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

const covers = (allowed: string, url: string): boolean => {
  const [start = '', end = ''] = allowed.split('*')
  if (!allowed.includes('*')) return url === allowed
  return url.startsWith(start) && url.endsWith(end) && !url.slice(start.length, -end.length).includes('/')
}

/** Middleware: removes the issuer from the response that the browser takes to the client, and its announcement. */
async function omitIssuer(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next()
  if (ctx.path === '/.well-known/openid-configuration')
    ctx.body = { ...(ctx.body as object), authorization_response_iss_parameter_supported: false }
  const location = ctx.response.get('location')
  if (!URL.canParse(location)) return
  const url = new URL(location)
  url.searchParams.delete('iss')
  ctx.set('Location', url.href)
}

const configure = (people: Map<string, Person>, redirectUrls: string[]): Configuration => ({
  clients: [
    {
      client_id: CLIENT.id,
      client_secret: CLIENT.secret,
      redirect_uris: redirectUrls,
      response_types: ['code'],
      grant_types: ['authorization_code'],
    },
  ],
  jwks: { keys: [signingKey()] },
  cookies: { keys: [randomBytes(32).toString('base64url')] },
  claims: { email: ['email', 'email_verified'], profile: ['name', 'given_name', 'family_name'] },
  ttl: { AccessToken: HOUR, Grant: HOUR, IdToken: HOUR, Interaction: HOUR, Session: HOUR },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_ctx, { uid }) => `/sign-in/${uid}` },
  findAccount: (_ctx, sub) => {
    const person = people.get(sub)
    return person && { accountId: sub, claims: () => ({ ...person }) }
  },
  // Grants consent without a question.
  async loadExistingGrant({ oidc }) {
    const grant = new oidc.provider.Grant({
      clientId: oidc.client?.clientId ?? '',
      accountId: oidc.session?.accountId ?? '',
    })
    grant.addOIDCScope('openid email profile')
    await grant.save()
    return grant
  },
})

function signingKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'sandbox' }
}

if (import.meta.main) {
  const { IDENTITY_PROVIDER_PORT, IDENTITY_PROVIDER_REDIRECT_URLS = '' } = process.env
  const provider = await startIdentityProvider({
    port: Number(IDENTITY_PROVIDER_PORT ?? 0),
    redirectUrls: IDENTITY_PROVIDER_REDIRECT_URLS.split(',').filter(Boolean),
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void provider.stop())
  console.log(`identity provider: ${provider.issuer}`)
}
