import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { domainOfHost, parseDomainName } from '#shared/stores/domains/domain-name.ts'
import { moveToProduction } from '#test/support/processes/production.ts'

const DOMAINS: [text: string, domain: string][] = [
  ['shop.example', 'shop.example'],
  ['Shop.Example.', 'shop.example'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['BÜCHER.example', 'xn--bcher-kva.example'],
  ['ΟΔΟΣ-ΒΕΤΑ.example', new URL('https://ΟΔΟΣ-ΒΕΤΑ.example').hostname],
  ['shop。example', 'shop.example'],
  ['a-b.c-d.example', 'a-b.c-d.example'],
  ['harbor.localhost', 'harbor.localhost'],
]

for (const [text, domain] of DOMAINS)
  test(`${text} is the domain ${domain}`, () => {
    assert.equal(parseDomainName(text), domain)
  })

const OTHERS = [
  '',
  '.',
  'localhost',
  'shop',
  '.shop.example',
  'shop..example',
  '-shop.example',
  'shop-.example',
  'sh_op.example',
  '*.shop.example',
  'shop.example:443',
  'https://shop.example',
  'shop.example/path',
  'user@shop.example',
  '127.0.0.1',
  '127.1',
  '0x7f.1',
  '2130706433',
  '１２７.0.0.1',
  '[::1]',
  '::1',
  'shop.example%00',
  `${'a'.repeat(64)}.example`,
  `${'a.'.repeat(120)}example`,
]

for (const text of OTHERS)
  test(`"${text.slice(0, 30)}" is no domain`, () => {
    assert.equal(parseDomainName(text), null)
  })

test('in production localhost is nobody’s domain', (t) => {
  moveToProduction(t)

  assert.equal(parseDomainName('harbor.localhost'), null)
  assert.equal(parseDomainName('shop.example'), 'shop.example')
})

test('a Host header names a domain in any case, with or without the trailing dot', () => {
  assert.equal(domainOfHost('SHOP.example.'), 'shop.example')
  assert.equal(domainOfHost('shop.example'), 'shop.example')
})

test('a Host header that no domain could have is looked up nowhere', () => {
  for (const host of ['', '.', '[::1]', '::1', 'a"b', 'a b', 'x'.repeat(300)])
    assert.equal(domainOfHost(host), undefined, host)
})
