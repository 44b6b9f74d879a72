import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { after, test } from 'node:test'
import '#test/support/database.ts'
import { addressesOf } from '#api/platform/auth/request-addresses.ts'
import { resetConfig } from '#shared/platform/config/config.ts'

Object.assign(process.env, { TRUST_PROXY: 'true', PROXY_HOPS: '2' })
resetConfig()
after(() => {
  Object.assign(process.env, { TRUST_PROXY: 'false', PROXY_HOPS: '1' })
  resetConfig()
})

const from = (forwarded: string | undefined, remoteAddress = '10.0.0.1') =>
  addressesOf({
    headers: { 'x-forwarded-for': forwarded },
    socket: { remoteAddress },
  } as unknown as IncomingMessage)

for (const [forwarded, ip] of [
  ['198.51.100.7, 192.0.2.1', '198.51.100.7'],
  ['1.1.1.1, 198.51.100.7,192.0.2.1', '198.51.100.7'],
  ['198.51.100.7:4433', '198.51.100.7'],
  ['198.51.100.7', '198.51.100.7'],
  [',198.51.100.7', '10.0.0.1'],
  ['', '10.0.0.1'],
  [undefined, '10.0.0.1'],
] as const)
  test(`behind two proxies, X-Forwarded-For ${forwarded} names the client ${ip}`, () => {
    assert.equal(from(forwarded).ip, ip)
  })

test('an IPv6 client is counted by its /64, and its network by its /48', () => {
  assert.partialDeepStrictEqual(from('2001:db8:1:2:3::4, 192.0.2.1'), {
    ip: '2001:db8:1:2:3::4',
    address: '2001:db8:1:2::/64',
  })
  const networks = ['2001:db8:1:2::3', '2001:db8:1:9::3', '2001:db8:7::3'].map(
    (ip) => from(`${ip}, 192.0.2.1`).network,
  )
  assert.equal(networks[0], networks[1])
  assert.notEqual(networks[0], networks[2])
})
