import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseOrigin } from '#shared/stores/publishable-keys/origin.ts'

const ORIGINS: [text: string, origin: string][] = [
  ['https://shop.example', 'https://shop.example'],
  ['HTTPS://Shop.Example', 'https://shop.example'],
  ['https://shop.example:443', 'https://shop.example'],
  ['http://localhost:5173', 'http://localhost:5173'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ['https://ΟΔΟΣ-ΒΕΤΑ.example', new URL('https://ΟΔΟΣ-ΒΕΤΑ.example').origin],
  ['https://[2001:db8::1]:8443', 'https://[2001:db8::1]:8443'],
  ['capacitor://localhost', 'capacitor://localhost'],
  ['Capacitor://LocalHost', 'capacitor://localhost'],
]

for (const [text, origin] of ORIGINS)
  test(`${text} is the origin ${origin}`, () => {
    assert.equal(parseOrigin(text), origin)
  })

const OTHERS = [
  'null',
  '*',
  '',
  'shop.example',
  'https://',
  'https://shop.example/',
  'https://shop.example/shop',
  'https://shop.example?x',
  'https://shop.example#x',
  'https://*.shop.example',
  'https://user@shop.example',
  'https://shop.example:99999',
  'https://shop.example https://other.example',
  'file:///index.html',
  'javascript:alert(1)',
  'ftp://shop.example',
  'https:\\\\shop.example',
]

for (const text of OTHERS)
  test(`"${text}" is no origin`, () => {
    assert.equal(parseOrigin(text), null)
  })
