import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type Configuration } from 'oidc-provider'
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
 * no password.
 */
export async function startIdentityProvider({
  port = 0,
  redirectUrls,
}: {
  port?: number
  redirectUrls: string[]
}): Promise<IdentityProvider> {
  const people = new Map(PEOPLE.map((person) => [person.sub, person]))
  const server = createServer()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, configure(people, redirectUrls))
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
