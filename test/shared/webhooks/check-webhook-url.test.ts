import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkWebhookUrl } from '#shared/webhooks/check-webhook-url.ts'

const codeOf = (url: string, allowLocal = false): string | null => {
  try {
    checkWebhookUrl(url, { allowLocal })
    return null
  } catch (error) {
    return (error as { code: string }).code
  }
}

const PUBLIC = [
  'https://hooks.example.com',
  'https://hooks.example.com:443/a?b=c',
  'https://hooks.example.com:8443/',
  'https://93.184.216.34/',
  'https://[2606:4700:4700::1111]/',
  'https://xn--bcher-kva.example.com/',
  'https://hooks.example.com./',
]
for (const url of PUBLIC) test(`${url} may be called`, () => assert.equal(codeOf(url), null))

const NOT_PUBLIC = [
  // loopback, in every notation that a URL parser takes
  'https://127.0.0.1/',
  'https://127.1/',
  'https://127.0.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://017700000001/',
  'https://127.0.0.1./',
  'https://１２７.０.０.１/',
  'https://127。0。0。1/',
  'https://%31%32%37.0.0.1/',
  'https://[::1]/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::127.0.0.1]/',
  'https://0/',
  'https://0.0.0.0/',
  'https://[::]/',
  // private, shared and link-local
  'https://10.1.2.3/',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.168.1.1/',
  'https://100.64.0.1/',
  'https://169.254.169.254/latest/meta-data',
  'https://168.63.129.16/machine?comp=goalstate',
  'https://161.26.0.10/',
  'https://166.9.0.1/',
  'https://100.100.100.200/latest/meta-data',
  'https://192.0.0.192/latest/',
  'https://[::ffff:169.254.169.254]/',
  'https://[fe80::1]/',
  'https://[fc00::1]/',
  'https://[fd00:ec2::254]/',
  // an IPv4 address in an IPv6 one
  'https://[64:ff9b::7f00:1]/',
  'https://[64:ff9b::10.0.0.1]/',
  'https://[64:ff9b:1::a00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001:0:7f00:1::]/',
  'https://[::ffff:0:127.0.0.1]/',
  // reserved, documentation, benchmarks, multicast, broadcast
  'https://192.0.0.1/',
  'https://192.0.2.1/',
  'https://192.88.99.1/',
  'https://198.18.0.1/',
  'https://198.51.100.1/',
  'https://203.0.113.1/',
  'https://224.0.0.1/',
  'https://240.0.0.1/',
  'https://255.255.255.255/',
  'https://[2001:db8::1]/',
  'https://[2001:2::1]/',
  'https://[3fff::1]/',
  'https://[ff02::1]/',
  'https://[100::1]/',
  'https://[4000::1]/',
  // names
  'https://localhost/',
  'https://localhost./',
  'https://LOCALHOST/',
  'https://a.localhost/',
  'https://intranet/',
  'https://printer.local/',
  'https://metadata.google.internal/',
  'https://db.home.arpa/',
  'https://router.lan/',
]
for (const url of NOT_PUBLIC)
  test(`${url} throws webhooks.url_not_public`, () => assert.equal(codeOf(url), 'webhooks.url_not_public'))

const INVALID = [
  '',
  'file:///etc/passwd',
  'data:text/plain,x',
  'hooks.example.com',
  '//hooks.example.com',
  'https://',
  'https://user@hooks.example.com/',
  'https://user:secret@hooks.example.com/',
  'https://hooks.example.com:22/',
  'https://hooks.example.com:99999/',
  'https://hooks.example.com\\@evil.example/',
  'https://hooks.example.com/\r\nHost: evil',
  'https://1.2.3.4.5/',
  'https://256.256.256.256/',
  'https://[fe80::1%25eth0]/',
  `https://hooks.example.com/${'a'.repeat(2_048)}`,
]
for (const url of INVALID)
  test(`${JSON.stringify(url.slice(0, 60))} throws webhooks.url_invalid`, () =>
    assert.equal(codeOf(url), 'webhooks.url_invalid'))

for (const url of ['http://hooks.example.com/', 'ftp://hooks.example.com/'])
  test(`${url} throws webhooks.url_https_required`, () =>
    assert.equal(codeOf(url), 'webhooks.url_https_required'))

test('with ALLOW_LOCAL_HOSTS only loopback is allowed besides public hosts', () => {
  for (const url of [
    'http://127.0.0.1:9999/',
    'http://localhost:3000/',
    'http://[::1]:80/',
    'https://a.localhost/',
  ])
    assert.equal(codeOf(url, true), null, url)
  assert.equal(codeOf('http://10.0.0.1/', true), 'webhooks.url_https_required')
  assert.equal(codeOf('https://10.0.0.1/', true), 'webhooks.url_not_public')
  assert.equal(codeOf('ftp://localhost/', true), 'webhooks.url_https_required')
})
