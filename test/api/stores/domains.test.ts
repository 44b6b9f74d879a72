import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import '#test/support/database.ts'
import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { mailDomainChange } from '#shared/staff/ownership/mail-settings-change.ts'
import { StoreDomain } from '#shared/stores/domains/store-domain.ts'
import { findRunningVerification, settleVerification } from '#shared/stores/domains/verification.ts'
import { buildApiToken, buildRole, buildStaff } from '#test/support/builders/accounts.ts'
import { buildStore, nextNumber } from '#test/support/builders/store.ts'
import { rawRequest, request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { nameServer } from '#test/support/processes/name-server.ts'
import { withWorker } from '#test/support/processes/with-worker.ts'
import { until } from '#test/support/races/until.ts'

afterEach(() => nameServer.behave('answer'))

async function setUp() {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'administrator' })
  const claim = async (domain: string) =>
    (await request('POST /admin/domains', { token, body: { domain } })).data
  const verify = (id: string) => withWorker(request(`POST /admin/domains/${id}/verify`, { token }))
  const claimAndVerify = async (domain: string) => {
    const claimed = await claim(domain)
    publish(claimed)
    await verify(claimed.id)
    return claimed
  }
  const read = async (id: string) => (await request(`GET /admin/domains/${id}`, { token })).data
  return { store, token, claim, verify, claimAndVerify, read }
}

const report = mailDomainChange({ type: 'verification', claimedBy: null })

const newDomain = () => `shop-${nextNumber()}.example`

interface Claim {
  verification: { name: string; value: string }
}
const publish = ({ verification: { name, value } }: Claim) => nameServer.publish(name, 'v=spf1 -all', value)

const visit = (host: string) => rawRequest(`GET /api/v1/settings/store-info HTTP/1.1\r\nHost: ${host}\r\n`)

test('requests to a domain find its store once the domain is verified', async () => {
  const { store, claim, verify } = await setUp()
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

test('a Host in capitals, with a trailing dot or with a port finds the same store', async () => {
  const { store, claim, verify } = await setUp()
  const domain = newDomain()
  const claimed = await claim(`${domain.toUpperCase()}.`)
  assert.equal(claimed.domain, domain)
  publish(claimed)
  await verify(claimed.id)

  for (const host of [domain, domain.toUpperCase(), `${domain}.`, `${domain}:8080`])
    assert.match(await visit(host), new RegExp(`"slug":"${store.slug}"`), host)
})

test('an international domain is stored in punycode', async () => {
  const { claim } = await setUp()

  assert.match((await claim(`bücher-${nextNumber()}.example`)).domain, /^xn--bcher-/)
})

test('an invalid domain returns 422 with the location of the field', async () => {
  const { token } = await setUp()

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

test('a failed verification returns the reason and can be repeated', async () => {
  const { claim, verify } = await setUp()
  const claimed = await claim(newDomain())

  const withoutRecord = await verify(claimed.id)
  nameServer.publish(claimed.verification.name, 'commerce-verification=another')
  const withWrongRecord = await verify(claimed.id)
  nameServer.behave('fail')
  const withoutDns = await verify(claimed.id)
  nameServer.behave('answer')
  publish(claimed)
  const withRecord = await verify(claimed.id)

  assert.partialDeepStrictEqual(withoutRecord.data, { status: 'failed', failure: 'record_missing' })
  assert.partialDeepStrictEqual(withWrongRecord.data, { status: 'failed', failure: 'record_wrong' })
  assert.partialDeepStrictEqual(withoutDns.data, { status: 'failed', failure: 'dns_unavailable' })
  assert.partialDeepStrictEqual(withRecord.data, { status: 'verified', failure: null })
})

test('Prefer: respond-async returns 202 and status checking', async () => {
  const { token, claim, read } = await setUp()
  const { id } = await claim(newDomain())

  const { status, data } = await request(`POST /admin/domains/${id}/verify`, {
    token,
    headers: { Prefer: 'respond-async' },
  })
  assert.equal(status, 202)
  assert.equal(data.status, 'checking')
  await drainJobs()

  assert.equal((await read(id)).status, 'failed')
})

test('verifying a verified domain changes nothing and makes no DNS request', async () => {
  const { token, claim, verify } = await setUp()
  const claimed = await claim(newDomain())
  publish(claimed)
  await verify(claimed.id)
  const asked = nameServer.asked().length
  nameServer.publish(claimed.verification.name)

  const { status, data } = await request(`POST /admin/domains/${claimed.id}/verify`, { token })

  assert.equal(status, 200)
  assert.equal(data.status, 'verified')
  assert.equal(nameServer.asked().length, asked)
})

test("the DNS record of another store's claim returns record_wrong", async () => {
  const [mine, other] = [await setUp(), await setUp()]
  const domain = newDomain()
  const [claimed, theirs] = [await mine.claim(domain), await other.claim(domain)]
  nameServer.publish(claimed.verification.name, claimed.verification.value)

  assert.equal((await other.verify(theirs.id)).data.failure, 'record_wrong')
})

test('the first of two stores to verify its claim has the domain', async () => {
  const [claimant, owner] = [await setUp(), await setUp()]
  const domain = newDomain()
  const [claim, claimed] = [await claimant.claim(domain), await owner.claim(domain)]
  nameServer.publish(claimed.verification.name, claimed.verification.value, claim.verification.value)

  assert.equal((await owner.verify(claimed.id)).data.status, 'verified')
  assert.equal((await claimant.verify(claim.id)).data.failure, 'taken')
  assert.match(await visit(domain), new RegExp(`"slug":"${owner.store.slug}"`))
})

test('one of five stores that verify one domain at the same time has it', async () => {
  const stores = await Promise.all(Array.from({ length: 5 }, setUp))
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
        const claim = await findRunningVerification(tx, id)
        if (claim) await settleVerification(tx, claim, null, report)
      }),
    ),
  )

  const domains = await Promise.all(stores.map(({ read }, i) => read(claims[i]?.id ?? '')))
  assert.deepEqual(domains.map(({ status, failure }) => failure ?? status).sort(), [
    ...Array(4).fill('taken'),
    'verified',
  ])
})

test('control: without the lock on the name, the second verification fails in the database', async () => {
  const domain = newDomain()
  const settle = async () => {
    const { store, claim } = await setUp()
    const { id } = await claim(domain)
    return inStore(store.id, (tx) => StoreDomain.in(tx).findById(id).patch({ verifiedAt: new Date() }))
  }

  const outcomes = await Promise.allSettled([settle(), settle()])

  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
})

test('a removed domain finds no store, and another store can verify it', async () => {
  const [first, second] = [await setUp(), await setUp()]
  const domain = newDomain()
  const claimed = await first.claimAndVerify(domain)

  const { data } = await request(`DELETE /admin/domains/${claimed.id}`, { token: first.token })
  assert.equal(data, null)
  assert.match(await visit(domain), /auth\.store_required/)

  const theirs = await second.claim(domain)
  publish(theirs)
  assert.equal((await second.verify(theirs.id)).data.status, 'verified')
})

test('a restored store has its domain back unless another store verified it in between', async () => {
  const [first, second] = [await setUp(), await setUp()]
  const domain = newDomain()
  const claimed = await first.claimAndVerify(domain)
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

test('a domain removed during its verification stays removed', async () => {
  const { token, claim, read } = await setUp()
  const claimed = await claim(newDomain())
  publish(claimed)
  await request(`POST /admin/domains/${claimed.id}/verify`, { token, headers: { Prefer: 'respond-async' } })
  await request(`DELETE /admin/domains/${claimed.id}`, { token })

  await drainJobs()

  assert.equal(await read(claimed.id), null)
})

test('verifying a domain that is removed while the request waits returns 404 immediately', {
  timeout: 60_000,
}, async () => {
  const { token, claim, read } = await setUp()
  const { id } = await claim(newDomain())
  const verifying = request(`POST /admin/domains/${id}/verify`, { token })
  await until('the verification is queued', async () => (await read(id)).status === 'checking')

  await request(`DELETE /admin/domains/${id}`, { token })

  assert.equal((await verifying).status, 404)
})

test('a verification that ends after its claim was removed takes the domain from no deleted store', async () => {
  const [first, second] = [await setUp(), await setUp()]
  const domain = newDomain()
  await first.claimAndVerify(domain)
  const status = (to: string) => db()('stores').where('id', first.store.id).update({ status: to })
  await status('deleted')
  const { id } = await second.claim(domain)
  const { token } = second
  await request(`POST /admin/domains/${id}/verify`, { token, headers: { Prefer: 'respond-async' } })
  const running = await inStore(second.store.id, (tx) => findRunningVerification(tx, id))
  await request(`DELETE /admin/domains/${id}`, { token })

  await inStore(second.store.id, (tx) => settleVerification(tx, running as StoreDomain, null, report))
  await status('active')

  assert.match(await visit(domain), new RegExp(`"slug":"${first.store.slug}"`))
})

test('claiming a domain twice returns 409 domain.already_added', async () => {
  const { store, token, claim } = await setUp()
  const domain = newDomain()
  await claim(domain)

  const again = await request('POST /admin/domains', { token, body: { domain: `${domain}.` } })
  const { data } = await request('GET /admin/domains', { token })

  assert.partialDeepStrictEqual(again, { status: 409, error_code: 'domain.already_added' })
  assert.deepEqual(
    data.map(({ domain, status }: { domain: string; status: string }) => ({ domain, status })),
    [
      { domain: store.domain, status: 'verified' },
      { domain, status: 'pending' },
    ],
  )
})

/** Expects 403 with this code for each change of the domains by a caller; `id` is that of a domain. */
async function assertCannotChange(token: string, id: string, errorCode: string): Promise<void> {
  for (const [line, body] of [
    ['POST /admin/domains', { domain: newDomain() }],
    [`POST /admin/domains/${id}/verify`],
    [`DELETE /admin/domains/${id}`],
  ] as const) {
    const response = await request(line, { token, body })
    assert.partialDeepStrictEqual(response, { status: 403, error_code: errorCode }, line)
  }
}

test('an API token reads the domains and cannot change them', async () => {
  const { store, claim, read } = await setUp()
  const { token } = await buildApiToken(store, 'system:read', 'system:write')
  const { id } = await claim(newDomain())

  await assertCannotChange(token, id, 'auth.api_token_forbidden')

  const { data } = await request('GET /admin/domains', { token })
  assert.deepEqual(
    data.map(({ domain }: { domain: string }) => domain),
    [store.domain, (await read(id)).domain],
  )
  assert.equal((await read(id)).status, 'pending')
})

test('staff who may change customers but not read orders cannot change the domains', async () => {
  const { store, claim } = await setUp()
  await buildRole(store, { name: 'keeper', rights: ['system:read', 'system:write', 'customers:write'] })
  const { token } = await buildStaff(store, { role: 'keeper' })
  const { id } = await claim(newDomain())

  await assertCannotChange(token, id, 'auth.forbidden')
})

test("reading, verifying or removing another store's domain returns 404", async () => {
  const [mine, other] = [await setUp(), await setUp()]
  const { id } = await other.claim(newDomain())

  for (const line of [
    `GET /admin/domains/${id}`,
    `POST /admin/domains/${id}/verify`,
    `DELETE /admin/domains/${id}`,
  ]) {
    const response = await request(line, { token: mine.token })
    assert.partialDeepStrictEqual(response, { status: 404, error_code: 'resource.not_found' }, line)
  }
  assert.equal((await other.read(id)).status, 'pending')
})
