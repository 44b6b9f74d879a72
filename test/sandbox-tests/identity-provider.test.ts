import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startIdentityProvider } from '#test/sandbox/identity-provider.ts'

test('the provider serves its discovery document until it is stopped', async () => {
  const provider = await startIdentityProvider({ redirectUrls: ['http://localhost:3000/back'] })
  const address = `${provider.issuer}/.well-known/openid-configuration`

  const described = (await (await fetch(address)).json()) as Record<string, unknown>
  await provider.stop()

  assert.equal(described.issuer, provider.issuer)
  assert.deepEqual(described.code_challenge_methods_supported, ['S256'])
  await assert.rejects(fetch(address))
})

test('an unregistered redirect address is refused', async () => {
  const provider = await startIdentityProvider({ redirectUrls: ['http://localhost:3000/back'] })
  const ask = (redirect_uri: string) =>
    fetch(
      `${provider.issuer}/auth?${new URLSearchParams({
        client_id: provider.clientId,
        response_type: 'code',
        scope: 'openid',
        code_challenge: 'x'.repeat(43),
        code_challenge_method: 'S256',
        redirect_uri,
      })}`,
      { redirect: 'manual' },
    )

  const [listed, other] = [await ask('http://localhost:3000/back'), await ask('http://localhost:3000/other')]
  await provider.stop()

  assert.match(listed.headers.get('location') ?? '', /^\/sign-in\//)
  assert.equal(other.status, 400)
})
