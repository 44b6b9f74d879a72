import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import '#test/support/database.ts'
import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { findChecking, settleVerification } from '#shared/stores/settle-verification.ts'
import { StoreDomain } from '#shared/stores/store-domain.ts'
import { rawRequest, request } from '#test/support/app.ts'
import { buildStore, nextNumber } from '#test/support/build.ts'
import { buildApiToken, buildStaff } from '#test/support/build-accounts.ts'
import { drainJobs } from '#test/support/jobs.ts'
import { nameServer } from '#test/support/name-server.ts'
import { withWorker } from '#test/support/with-worker.ts'

afterEach(() => nameServer.behave('answer'))

async function open() {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'administrator' })
  const claim = async (domain: string) =>
    (await request('POST /admin/domains', { token, body: { domain } })).data
  const verify = (id: string) => withWorker(request(`POST /admin/domains/${id}/verify`, { token }))
  const read = async (id: string) => (await request(`GET /admin/domains/${id}`, { token })).data
  return { store, token, claim, verify, read }
}

const newDomain = () => `shop-${nextNumber()}.example`

interface Claim {
  verification: { name: string; value: string }
}
const publish = ({ verification: { name, value } }: Claim) => nameServer.publish(name, 'v=spf1 -all', value)

const visit = (host: string) => rawRequest(`GET /api/v1/settings/store-info HTTP/1.1\r\nHost: ${host}\r\n`)

test('a domain leads to its store once its proof stands in DNS', async () => {
  const { store, claim, verify } = await open()
  const domain = newDomain()
  const claimed = await claim(domain)
  assert.equal(claimed.status, 'pending')
  assert.equal(claimed.verification.name, `_commerce-verification.${domain}`)
  assert.match(await visit(domain), /auth\.store_required/)
  publish(claimed)

  const { status, data } = await verify(claimed.id)

  assert.equal(status, 200)
  assert.equal(data.status, 'verified')
  assert.match(await visit(domain), new RegExp(`"slug":"${store.slug}"`))
})

test('any writing of a host leads to the same store', async () => {
  const { store, claim, verify } = await open()
  const domain = newDomain()
  const claimed = await claim(`${domain.toUpperCase()}.`)
  assert.equal(claimed.domain, domain)
  publish(claimed)
  await verify(claimed.id)

  for (const host of [domain, domain.toUpperCase(), `${domain}.`, `${domain}:8080`])
    assert.match(await visit(host), new RegExp(`"slug":"${store.slug}"`), host)
})

test('international names are kept as DNS has them', async () => {
  const { claim } = await open()

  assert.match((await claim(`bücher-${nextNumber()}.example`)).domain, /^xn--bcher-/)
})

test('what is no domain is refused', async () => {
  const { token } = await open()

  for (const domain of [
    '127.0.0.1',
    '[::1]',
    'shop.example:443',
    'https://shop.example',
    'localhost',
    'a b.c',
  ]) {
    const { status, detail } = await request('POST /admin/domains', { token, body: { domain } })
    assert.equal(status, 422, domain)
    assert.deepEqual(detail[0].loc, ['body', 'domain'])
  }
})

test('without its proof a domain is not verified, and can be tried again', async () => {
  const { claim, verify } = await open()
  const claimed = await claim(newDomain())

  const missing = await verify(claimed.id)
  nameServer.publish(claimed.verification.name, 'commerce-verification=another')
  const wrong = await verify(claimed.id)
  nameServer.behave('fail')
  const away = await verify(claimed.id)
  nameServer.behave('answer')
  publish(claimed)
  const right = await verify(claimed.id)

  assert.deepEqual(
    [missing, wrong, away, right].map(({ data }) => [data.status, data.failure]),
    [
      ['failed', 'record_missing'],
      ['failed', 'record_wrong'],
      ['failed', 'dns_unavailable'],
      ['verified', null],
    ],
  )
})

test('who does not wait is told that the check is under way', async () => {
  const { token, claim, read } = await open()
  const { id } = await claim(newDomain())

  const { status, data } = await request(`POST /admin/domains/${id}/verify`, {
    token,
    headers: { Prefer: 'respond-async' },
  })
  assert.deepEqual([status, data.status], [202, 'checking'])
  await drainJobs()

  assert.equal((await read(id)).status, 'failed')
})

test('a verified domain stays so, without another look', async () => {
  const { token, claim, verify } = await open()
  const claimed = await claim(newDomain())
  publish(claimed)
  await verify(claimed.id)
  const asked = nameServer.asked().length
  nameServer.publish(claimed.verification.name)

  const { status, data } = await request(`POST /admin/domains/${claimed.id}/verify`, { token })

  assert.deepEqual([status, data.status], [200, 'verified'])
  assert.equal(nameServer.asked().length, asked)
})

test("another store's proof proves nothing", async () => {
  const [mine, other] = [await open(), await open()]
  const domain = newDomain()
  const [claimed, theirs] = [await mine.claim(domain), await other.claim(domain)]
  nameServer.publish(claimed.verification.name, claimed.verification.value)

  assert.equal((await other.verify(theirs.id)).data.failure, 'record_wrong')
})

test('a claim holds nobody up: the domain is whose proof is there first', async () => {
  const [squatter, owner] = [await open(), await open()]
  const domain = newDomain()
  const [claim, claimed] = [await squatter.claim(domain), await owner.claim(domain)]
  nameServer.publish(claimed.verification.name, claimed.verification.value, claim.verification.value)

  assert.equal((await owner.verify(claimed.id)).data.status, 'verified')
  assert.equal((await squatter.verify(claim.id)).data.failure, 'taken')
  assert.match(await visit(domain), new RegExp(`"slug":"${owner.store.slug}"`))
})

test('of stores that prove one domain at the same time, one is given it', async () => {
  const stores = await Promise.all(Array.from({ length: 5 }, open))
  const domain = newDomain()
  const claims = await Promise.all(
    stores.map(async ({ store, token, claim }) => {
      const { id } = await claim(domain)
      await request(`POST /admin/domains/${id}/verify`, { token, headers: { Prefer: 'respond-async' } })
      return { storeId: store.id, id }
    }),
  )

  await Promise.all(
    claims.map(({ storeId, id }) =>
      inStore(storeId, async (tx) => {
        const claim = await findChecking(tx, id)
        if (claim) await settleVerification(tx, claim, null)
      }),
    ),
  )

  const outcomes = await Promise.all(stores.map(({ read }, i) => read(claims[i]?.id ?? '')))
  assert.deepEqual(outcomes.map(({ status, failure }) => failure ?? status).sort(), [
    ...Array(4).fill('taken'),
    'verified',
  ])
})

test('control: without asking whose it is, the second to settle fails instead of being told', async () => {
  const domain = newDomain()
  const settle = async () => {
    const { store, claim } = await open()
    const { id } = await claim(domain)
    return inStore(store.id, (tx) => StoreDomain.in(tx).findById(id).patch({ verifiedAt: new Date() }))
  }

  const outcomes = await Promise.allSettled([settle(), settle()])

  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
})

test('a domain that was given up leads nowhere, and another store can have it', async () => {
  const [first, second] = [await open(), await open()]
  const domain = newDomain()
  const claimed = await first.claim(domain)
  publish(claimed)
  await first.verify(claimed.id)

  const { data } = await request(`DELETE /admin/domains/${claimed.id}`, { token: first.token })
  assert.equal(data, null)
  assert.match(await visit(domain), /auth\.store_required/)

  const theirs = await second.claim(domain)
  publish(theirs)
  assert.equal((await second.verify(theirs.id)).data.status, 'verified')
})

test('a deleted store holds no domain up: restored, it has its own back unless another store took it', async () => {
  const [first, second] = [await open(), await open()]
  const domain = newDomain()
  const claimed = await first.claim(domain)
  publish(claimed)
  await first.verify(claimed.id)
  const theirs = await second.claim(domain)
  publish(theirs)
  const status = (to: string) => db()('stores').where('id', first.store.id).update({ status: to })

  await status('deleted')
  await status('active')
  assert.equal((await second.verify(theirs.id)).data.failure, 'taken')
  await status('deleted')
  assert.equal((await second.verify(theirs.id)).data.status, 'verified')
  await status('active')

  assert.match(await visit(domain), new RegExp(`"slug":"${second.store.slug}"`))
  assert.notEqual((await first.read(claimed.id)).status, 'verified')
})

test('a domain given up while it was checked is not given back', async () => {
  const { token, claim, read } = await open()
  const claimed = await claim(newDomain())
  publish(claimed)
  await request(`POST /admin/domains/${claimed.id}/verify`, { token, headers: { Prefer: 'respond-async' } })
  await request(`DELETE /admin/domains/${claimed.id}`, { token })

  await drainJobs()

  assert.equal(await read(claimed.id), null)
})

test('a store lists a domain once', async () => {
  const { store, token, claim } = await open()
  const domain = newDomain()
  await claim(domain)

  const again = await request('POST /admin/domains', { token, body: { domain: `${domain}.` } })
  const { data } = await request('GET /admin/domains', { token })

  assert.deepEqual([again.status, again.error_code], [409, 'domain.already_added'])
  assert.deepEqual(
    data.map(({ domain, status }: { domain: string; status: string }) => [domain, status]),
    [
      [store.domain, 'verified'],
      [domain, 'pending'],
    ],
  )
})

test('where mails lead is no program’s business: an API token looks at the domains and changes none', async () => {
  const { store, claim, read } = await open()
  const { token } = await buildApiToken(store, 'system:read', 'system:write')
  const { id } = await claim(newDomain())

  for (const [line, body] of [
    ['POST /admin/domains', { domain: newDomain() }],
    [`POST /admin/domains/${id}/verify`],
    [`DELETE /admin/domains/${id}`],
  ] as const) {
    const { status, error_code } = await request(line, { token, body })
    assert.deepEqual([status, error_code], [403, 'auth.api_token_forbidden'], line)
  }

  const { data } = await request('GET /admin/domains', { token })
  assert.deepEqual(
    data.map(({ domain }: { domain: string }) => domain),
    [store.domain, (await read(id)).domain],
  )
  assert.equal((await read(id)).status, 'pending')
})

test("another store's domain is not there", async () => {
  const [mine, other] = [await open(), await open()]
  const { id } = await other.claim(newDomain())

  for (const line of [
    `GET /admin/domains/${id}`,
    `POST /admin/domains/${id}/verify`,
    `DELETE /admin/domains/${id}`,
  ]) {
    const { status, error_code } = await request(line, { token: mine.token })
    assert.deepEqual([status, error_code], [404, 'resource.not_found'], line)
  }
  assert.equal((await other.read(id)).status, 'pending')
})
